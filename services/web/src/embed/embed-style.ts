/** In a shadow root, so that it neither takes nor gives styles; adopted, so that a strict Content-Security-Policy of the site allows it. */
export const EMBED_STYLE = `
dialog{box-sizing:border-box;width:480px;max-width:calc(100vw - 32px);height:800px;max-height:calc(100dvh - 32px);margin:auto;padding:0;border:0;border-radius:16px;overflow:hidden;color-scheme:light dark;background:Canvas;color:CanvasText;font:16px/1.5 system-ui,sans-serif;box-shadow:0 16px 64px #0006}
dialog[open]{display:flex;flex-direction:column}
dialog::backdrop{background:#0009}
header{display:flex;align-items:center;justify-content:space-between;gap:8px;padding:4px 4px 4px 16px}
a{color:inherit;padding:10px 0}
button{width:44px;height:44px;border:0;border-radius:12px;background:none;color:inherit;font:24px/1 system-ui,sans-serif;cursor:pointer}
button:hover{background:#8883}
a:focus-visible,button:focus-visible{outline:2px solid;outline-offset:-4px}
iframe{flex:1;width:100%;border:0;background:Canvas}
@media(max-width:600px),(max-height:500px){dialog{width:100vw;max-width:none;height:100dvh;max-height:none;border-radius:0}}
@media(prefers-reduced-motion:no-preference){dialog[open]{animation:show .15s ease-out}@keyframes show{from{opacity:0;transform:translateY(8px)}}}
`;
