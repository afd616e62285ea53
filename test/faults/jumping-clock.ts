/**
 * Loaded before a program (`--import`): its wall clock keeps jumping a day ahead and a day back, and its time zone
 * changes.
 */
const ZONES = ["Pacific/Kiritimati", "America/New_York", "Europe/Berlin", "Pacific/Pago_Pago"];
const real = Date.now.bind(Date);
let jumps = 0;
setInterval(() => {
  jumps += 1;
  process.env["TZ"] = ZONES[jumps % ZONES.length];
}, 7).unref();
Date.now = () => real() + [0, 86_400_000, -86_400_000][jumps % 3]!;
