// The build of the page: into the package of the server, each file also compressed.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const OUT = "../rookery_server/web";

/** Leaves a `.br` and a `.gz` beside each file, which the server sends to who takes them. */
function compressed(folder: string): Plugin {
  return {
    name: "compressed",
    apply: "build",
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        const path = join(folder, name);
        if (!statSync(path).isFile() || /\.(br|gz|png)$/.test(path)) continue;
        const body = readFileSync(path);
        const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
        writeFileSync(`${path}.br`, brotliCompressSync(body, { params }));
        writeFileSync(`${path}.gz`, gzipSync(body, { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  base: "/",
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: "es2022",
    rolldownOptions: { input: ["index.html", "admin.html"] },
    modulePreload: { polyfill: false },
    // One file each: the server closes a connection after each answer.
    cssCodeSplit: false,
    assetsInlineLimit: 8192,
  },
  plugins: [compressed(OUT)],
});
