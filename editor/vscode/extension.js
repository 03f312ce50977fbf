// Starts `houserule lsp` and connects the editor with it. Everything else is done by the program.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = function () {
  const command = workspace.getConfiguration("houserule").get("program") || "houserule";
  const options = {
    documentSelector: [{ scheme: "file", language: "houserule" }],
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.{rules,scenario,rhai,svg,png}") },
  };
  client = new LanguageClient("houserule", "Houserule", { command, args: ["lsp"] }, options);
  return client.start();
};

exports.deactivate = function () {
  return client?.stop();
};
