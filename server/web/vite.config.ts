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

/** Has what the first script asks for only later be loaded beside it. */
function preloaded(): Plugin {
  return {
    name: "preloaded",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle, chunk }) {
        const files = new Set<string>();
        const visit = (name: string) => {
          const found = bundle?.[name];
          if (found?.type !== "chunk" || files.has(name)) return;
          files.add(name);
          for (const each of found.imports) visit(each);
        };
        for (const each of chunk?.dynamicImports ?? []) visit(each);
        const known = new Set([chunk?.fileName, ...(chunk?.imports ?? [])]);
        return [...files]
          .filter((name) => !known.has(name))
          .map((name) => ({
            tag: "link",
            attrs: { rel: "modulepreload", crossorigin: true, href: `/${name}` },
            injectTo: "head" as const,
          }));
      },
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
    // All that a chunk needs is in the page: nothing has to be found out while it runs.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files, { hostType }) => (hostType === "html" ? files : []),
    },
    // One file each: the server closes a connection after each answer.
    cssCodeSplit: false,
    assetsInlineLimit: 8192,
  },
  plugins: [preloaded(), compressed(OUT)],
});
