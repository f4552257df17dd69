import { stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { Gauge, type Metrics } from "../basis/metrics.ts";

/** Metrics of the embedded store's files and of the disk that they are on. Values that cannot be read are omitted. */
export function measureDisk(path: string, metrics: Metrics): void {
  new Gauge({
    name: "gatehouse_store_disk_free_bytes",
    help: "Free space of the disk that holds the data directory, as far as this program may use it.",
    registers: [metrics],
    async collect() {
      this.remove();
      const disk = await statfs(dirname(path)).catch(() => undefined);
      if (disk !== undefined) this.set(disk.bavail * disk.bsize);
    },
  });
  new Gauge({
    name: "gatehouse_store_file_bytes",
    help: "Size of the embedded store's main file and of its log.",
    labelNames: ["file"],
    registers: [metrics],
    async collect() {
      this.reset();
      for (const [file, suffix] of FILES) {
        const found = await stat(`${path}${suffix}`).catch(() => undefined);
        if (found !== undefined) this.set({ file }, found.size);
      }
    },
  });
}

const FILES = [
  ["main", ""],
  ["log", "-wal"],
] as const;
