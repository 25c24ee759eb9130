export { type Figure, formatFigures, printFigures } from './figures.ts';
export { interruption } from './interruption.ts';
export { type Measure, type Measurement, type MeasurementOptions, runMeasurement } from './measurement.ts';
export { type Terminal, createTerminal } from './terminal.ts';
