/// <reference types="vitest/config" />
// The build of the page: into the package of the server, each file also compressed.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build, defineConfig, type Plugin, type Rollup } from "vite";

const OUT = "../rookery_server/web";
const TARGET = "es2022";
const TEXT_FILES = '<meta name="rookery-texts" content="">'; // of each language
const TEXTS_OF = "texts of "; // a file, in the script of a frame
// Notices that a reader of a shared game may get.
const FRAME_NOTICES = ["games-off", "unreachable", "draining", "input", "unknown"];
const PLACE = "<!-- preconnect -->"; // of the inline script in the page

/** Write a `.br` and a `.gz` beside each file, for clients that accept them. */
function compressFiles(folder: string): Plugin {
  return {
    name: "compress-files",
    apply: "build",
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        const path = join(folder, name);
        if (!statSync(path).isFile() || /\.(br|gz|png)$/.test(path)) continue;
        if (existsSync(`${path}.br`)) continue; // of the other page
        const body = readFileSync(path);
        const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
        writeFileSync(`${path}.br`, brotliCompressSync(body, { params }));
        writeFileSync(`${path}.gz`, gzipSync(body, { level: 9 }));
      }
    },
  };
}

/** Leave out what files of texts say to translators; a frame has them written in by `inlineFiles`. */
function stripTexts(isFrame: boolean): Plugin {
  return {
    name: "strip-texts",
    apply: "build",
    enforce: "pre",
    load(id) {
      if (!id.endsWith(".ftl?raw")) return null;
      const path = id.replace("?raw", "");
      return `export default ${JSON.stringify(isFrame ? TEXTS_OF + path : readTexts(path))};`;
    },
  };
}

function readTexts(path: string): string {
  return readFileSync(path, "utf8").replace(/^(#.*)?\n/gm, "");
}

/** Write the texts that a script uses into it: all that it names, and those that these name. */
function withTexts(script: string): string {
  const used = new Set<string>();
  const add = (source: string, ids: RegExp) => {
    for (const [, id = ""] of source.matchAll(ids)) used.add(id);
  };
  add(script, /["'`]([a-z]+(?:-[a-z0-9]+)*)["'`]/g);
  for (const code of FRAME_NOTICES) {
    for (const end of ["", "-hint", "-text"]) used.add(`notice-${code}${end}`);
  }
  return script.replace(new RegExp(`(["'\`])${TEXTS_OF}(.*?)\\1`, "g"), (_, __, path) => {
    const messages = readTexts(path).split(/^(?=[a-z])/m);
    const idOf = (message: string) => message.split(" ", 1)[0] ?? "";
    for (let count = -1; count !== used.size; ) {
      count = used.size;
      for (const message of messages) {
        if (used.has(idOf(message))) add(message, /\{ ([a-z][a-z0-9-]*) \}/g);
      }
    }
    return JSON.stringify(messages.filter((each) => used.has(idOf(each))).join(""));
  });
}

/** Write the first script into the page itself, so that it need not be loaded. */
function inlineScript(): Plugin {
  return {
    name: "inline-script",
    apply: "build",
    async transformIndexHtml(html) {
      if (!html.includes(PLACE)) return html;
      const lib = { entry: "src/preconnect.ts", formats: ["iife" as const], name: "preconnect" };
      const made = await build({
        configFile: false,
        logLevel: "warn",
        build: { lib, target: TARGET, write: false, minify: true },
      });
      const [{ output }] = made as [Rollup.RollupOutput];
      return html.replace(PLACE, () => `<script>${output[0].code.trim()}</script>`);
    },
  };
}

/** Write into the page which files have the texts of its first view, for its inline script. */
function writeTextFiles(): Plugin {
  return {
    name: "write-text-files",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {} }) {
        const files = Object.values(bundle).flatMap((file) => {
          const id = (file.type === "chunk" && file.facadeModuleId) || "";
          const [, language] = /language\/(\w+)\/page\.ftl/.exec(id) ?? [];
          return language ? [[language, `/${file.fileName}`]] : [];
        });
        const content = JSON.stringify(Object.fromEntries(files)).replaceAll('"', "&quot;");
        return html.replace(TEXT_FILES, (meta) => meta.replace('""', `"${content}"`));
      },
    },
  };
}

/** Preload the modules that the first one imports later. */
function preloadModules(): Plugin {
  return {
    name: "preload-modules",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle, chunk }) {
        const files = new Set<string>();
        const add = (name: string) => {
          const found = bundle?.[name];
          if (found?.type !== "chunk" || files.has(name)) return;
          if (found.facadeModuleId?.includes(".ftl")) return; // One language is spoken, or none.
          files.add(name);
          for (const each of found.imports) add(each);
        };
        for (const each of chunk?.dynamicImports ?? []) add(each);
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

/**
 * Write the script and the style sheet into the page.  A frame with the attribute `sandbox` has no
 * origin, so that it may not load files of the server.
 */
function inlineFiles(): Plugin {
  return {
    name: "inline-files",
    apply: "build",
    enforce: "post",
    generateBundle(_, bundle) {
      let [page, script, style] = ["", "", ""];
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === "chunk") script += withTexts(file.code.trim());
        else if (name.endsWith(".css")) style += String(file.source).trim();
        else if (name.endsWith(".html")) page = name;
        else continue;
        if (!name.endsWith(".html")) delete bundle[name];
      }
      const asset = bundle[page];
      if (asset?.type !== "asset") throw new Error("there is no page to write into");
      asset.source = String(asset.source)
        .replace(/<script type="module".*?<\/script>\s*/s, "")
        .replace(/<link rel="stylesheet".*?>\s*/s, () => `<style>${style}</style>\n`)
        .replace(
          "</body>",
          () => `<script>${script.replaceAll("</script", "<\\/script")}</script>\n</body>`,
        );
    },
  };
}

// What is loaded when the page is idle, or later; and what begins the session (`startup.ts`).  All else
// is one file, whatever else uses it: many small ones are larger, and wait for each other.
const ALONE = /\.html|\/idb\/|\/src\/(?:main\.ts|(?:library|pieces|sound|language\/\w\w)\/)/;
const STARTUP =
  /preload-helper|\/src\/(?:engine|uci)\/|\/src\/(?:startup|server|settings|store)\.ts/;
const LATER =
  /\/src\/(?:game\/encoding|codes\/|projects\/|style\/\w+\.css\?inline|view\/(?:windows\/(?!signin)|companion|explorer|keep_analysis|late_style|menu|move_table|phone_code|picture|play|popup|practice|project|report|room|setup|sparkline|storage|tablebase|times))/;
const CHUNKS = [
  { name: "startup", test: STARTUP, priority: 3 },
  { name: "page", test: (id: string) => !LATER.test(id) && !ALONE.test(id), priority: 2 },
  { name: "later", test: LATER, priority: 1 },
];

// The pages besides the first one, by the mode of their build, and what is special of their output.
const OTHERS: Readonly<Record<string, Rollup.OutputOptions>> = {
  admin: {},
  embed: { format: "iife" },
};

// Each page is built by itself (`--mode admin`, `--mode embed`): a chunk that both share would be one more file to
// wait for, and browsers request six files of a server at a time.
export default defineConfig(({ mode }) => ({
  base: "/",
  build: {
    outDir: OUT,
    emptyOutDir: !(mode in OTHERS),
    target: TARGET,
    rolldownOptions: {
      input: mode in OTHERS ? `${mode}.html` : "index.html",
      preserveEntrySignatures: "allow-extension" as const,
      // The frame is one script, which asks for no address of its own.
      checks: { emptyImportMeta: mode !== "embed" },
      output: OTHERS[mode] ?? { codeSplitting: { groups: CHUNKS } },
    },
    // The page preloads everything: chunks need no code for it.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files, { hostType }) => (hostType === "html" ? files : []),
    },
    // One style sheet for each page: the server closes a connection after each answer.
    cssCodeSplit: false,
    assetsInlineLimit: 8192,
  },
  test: { setupFiles: "src/language/english.testing.ts" },
  plugins: [
    stripTexts(mode === "embed"),
    inlineScript(),
    writeTextFiles(),
    preloadModules(),
    ...(mode === "embed" ? [inlineFiles()] : []),
    compressFiles(OUT),
  ],
}));
