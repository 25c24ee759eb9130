/** The baseline of API requests: bare Express that returns the JSON body. Listens on ADMIN_PORT only. */
import express from 'express';

const app = express();
app.use(express.json());
app.post('/echo', (request, response) => void response.json(request.body));
app.get('/health/ready', (_request, response) => void response.end());
app.listen(Number(process.env['ADMIN_PORT']), '127.0.0.1');
