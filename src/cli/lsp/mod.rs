//! `lsp`: a language server over the standard streams, for every editor that speaks the Language Server Protocol.
//!
//! Source: *Language Server Protocol Specification 3.17* (Microsoft). `lsp-server` reads and writes the messages; `ide` makes the answers.
mod answers;
mod games;
mod places;

use crate::io::{Exit, Failure};
use answers::{Asked, TOKENS};
use games::Games;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types as lsp;
use lsp_types::notification::Notification as _;
use lsp_types::request::Request as _;
use places::{Columns, Lines, to_uri};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::time::Duration;

/// How long nothing must be typed before set-ups are asked, which takes longer than the rest.
const PAUSE: Duration = Duration::from_millis(400);

/// Runs the command: serves until the client ends it.
pub fn run() -> Result<Exit, Failure> {
    let (connection, threads) = Connection::stdio();
    let ended = serve(&connection);
    // The writer ends when nobody can write any more.
    drop(connection);
    let joined = threads.join();
    match ended {
        Ok(()) => joined.map(|()| Exit::Fine).map_err(Failure::Stream),
        Err(why) => Err(Failure::Wrong(why)),
    }
}

/// Serves one client over a connection.
///
/// # Errors
/// If the client does not keep to the protocol.
pub fn serve(connection: &Connection) -> Result<(), String> {
    let (id, params) = connection.initialize_start().map_err(|e| e.to_string())?;
    let params: lsp::InitializeParams = serde_json::from_value(params)
        .map_err(|e| format!("the client's first message cannot be read: {e}"))?;
    let offered = params.capabilities.general.and_then(|g| g.position_encodings).unwrap_or_default();
    let columns =
        if offered.contains(&lsp::PositionEncodingKind::UTF8) { Columns::Utf8 } else { Columns::Utf16 };
    let about = json!({
        "capabilities": capabilities(columns),
        "serverInfo": { "name": "houserule", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, about).map_err(|e| e.to_string())?;
    let mut server = Server { connection, columns, games: Games::default(), told: HashSet::new() };
    loop {
        let received = match connection.receiver.recv_timeout(PAUSE) {
            Ok(message) => Some(message),
            Err(e) if e.is_timeout() => None,
            Err(_) => return Ok(()),
        };
        match received {
            Some(Message::Request(request)) => {
                if connection.handle_shutdown(&request).map_err(|e| e.to_string())? {
                    return Ok(());
                }
                server.answer(request);
            }
            Some(Message::Notification(n)) => server.note(n),
            Some(Message::Response(_)) => {}
            None => server.tell_findings(true),
        }
        // Of what was typed meanwhile only the last state is looked at.
        if connection.receiver.is_empty() {
            server.tell_findings(false);
        }
    }
}

fn capabilities(columns: Columns) -> lsp::ServerCapabilities {
    let mut sorts: Vec<lsp::SemanticTokenType> = Vec::new();
    sorts.extend(TOKENS.iter().map(|(_, sort)| lsp::SemanticTokenType::new(sort)));
    lsp::ServerCapabilities {
        position_encoding: Some(match columns {
            Columns::Utf8 => lsp::PositionEncodingKind::UTF8,
            Columns::Utf16 => lsp::PositionEncodingKind::UTF16,
        }),
        text_document_sync: Some(lsp::TextDocumentSyncCapability::Options(lsp::TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(lsp::TextDocumentSyncKind::INCREMENTAL),
            save: Some(lsp::TextDocumentSyncSaveOptions::Supported(true)),
            ..lsp::TextDocumentSyncOptions::default()
        })),
        completion_provider: Some(lsp::CompletionOptions {
            trigger_characters: Some(vec![String::from(".")]),
            ..lsp::CompletionOptions::default()
        }),
        hover_provider: Some(lsp::HoverProviderCapability::Simple(true)),
        definition_provider: Some(lsp::OneOf::Left(true)),
        references_provider: Some(lsp::OneOf::Left(true)),
        document_highlight_provider: Some(lsp::OneOf::Left(true)),
        rename_provider: Some(lsp::OneOf::Right(lsp::RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: lsp::WorkDoneProgressOptions::default(),
        })),
        document_formatting_provider: Some(lsp::OneOf::Left(true)),
        document_symbol_provider: Some(lsp::OneOf::Left(true)),
        code_action_provider: Some(lsp::CodeActionProviderCapability::Simple(true)),
        folding_range_provider: Some(lsp::FoldingRangeProviderCapability::Simple(true)),
        inlay_hint_provider: Some(lsp::OneOf::Left(true)),
        semantic_tokens_provider: Some(lsp::SemanticTokensServerCapabilities::SemanticTokensOptions(
            lsp::SemanticTokensOptions {
                legend: lsp::SemanticTokensLegend {
                    token_types: sorts,
                    token_modifiers: vec![lsp::SemanticTokenModifier::DECLARATION],
                },
                full: Some(lsp::SemanticTokensFullOptions::Bool(true)),
                ..lsp::SemanticTokensOptions::default()
            },
        )),
        ..lsp::ServerCapabilities::default()
    }
}

struct Server<'c> {
    connection: &'c Connection,
    columns: Columns,
    games: Games,
    /// Files of which the client knows findings.
    told: HashSet<String>,
}

impl Server<'_> {
    fn send(&self, message: Message) {
        // A client that is gone is seen when the next message is read.
        let _ = self.connection.sender.send(message);
    }

    /// Answers a request.
    fn answer(&mut self, request: Request) {
        let id = request.id.clone();
        let response = match self.dispatch(request) {
            Ok(result) => Response::new_ok(id, result),
            Err((code, message)) => Response::new_err(id, code as i32, message),
        };
        self.send(Message::Response(response));
    }

    fn dispatch(&mut self, r: Request) -> Result<Value, (ErrorCode, String)> {
        use lsp::request as req;
        let failed = |why: String| (ErrorCode::RequestFailed, why);
        match r.method.as_str() {
            req::Completion::METHOD => {
                let p: lsp::CompletionParams = read(r)?;
                let at = p.text_document_position;
                self.ask(&at.text_document.uri, |a| a.completions(at.position))
            }
            req::HoverRequest::METHOD => {
                let p: lsp::HoverParams = read(r)?;
                let at = p.text_document_position_params;
                self.ask(&at.text_document.uri, |a| a.hover(at.position))
            }
            req::GotoDefinition::METHOD => {
                let p: lsp::GotoDefinitionParams = read(r)?;
                let at = p.text_document_position_params;
                self.ask(&at.text_document.uri, |a| a.definition(at.position))
            }
            req::References::METHOD => {
                let p: lsp::ReferenceParams = read(r)?;
                let at = p.text_document_position;
                self.ask(&at.text_document.uri, |a| a.references(at.position, p.context.include_declaration))
            }
            req::DocumentHighlightRequest::METHOD => {
                let p: lsp::DocumentHighlightParams = read(r)?;
                let at = p.text_document_position_params;
                self.ask(&at.text_document.uri, |a| a.highlights(at.position))
            }
            req::PrepareRenameRequest::METHOD => {
                let p: lsp::TextDocumentPositionParams = read(r)?;
                self.try_ask(&p.text_document.uri, |a| a.prepare_rename(p.position)).map_err(failed)
            }
            req::Rename::METHOD => {
                let p: lsp::RenameParams = read(r)?;
                let at = p.text_document_position;
                self.try_ask(&at.text_document.uri, |a| a.rename(at.position, &p.new_name)).map_err(failed)
            }
            req::Formatting::METHOD => {
                let p: lsp::DocumentFormattingParams = read(r)?;
                self.try_ask(&p.text_document.uri, |a| a.format()).map_err(failed)
            }
            req::DocumentSymbolRequest::METHOD => {
                let p: lsp::DocumentSymbolParams = read(r)?;
                self.ask(&p.text_document.uri, |a| a.symbols())
            }
            req::CodeActionRequest::METHOD => {
                let p: lsp::CodeActionParams = read(r)?;
                self.ask(&p.text_document.uri, |a| a.fixes(p.range))
            }
            req::FoldingRangeRequest::METHOD => {
                let p: lsp::FoldingRangeParams = read(r)?;
                self.ask(&p.text_document.uri, |a| a.folds())
            }
            req::InlayHintRequest::METHOD => {
                let p: lsp::InlayHintParams = read(r)?;
                self.ask(&p.text_document.uri, |a| a.hints(p.range))
            }
            req::SemanticTokensFullRequest::METHOD => {
                let p: lsp::SemanticTokensParams = read(r)?;
                self.ask(&p.text_document.uri, |a| lsp::SemanticTokens { result_id: None, data: a.tokens() })
            }
            other => Err((ErrorCode::MethodNotFound, format!("{other} is not answered here"))),
        }
    }

    /// Asks about a file; nothing if it cannot be found.
    fn ask<T: Serialize>(
        &mut self,
        uri: &lsp::Uri,
        question: impl FnOnce(&Asked<'_>) -> T,
    ) -> Result<Value, (ErrorCode, String)> {
        self.try_ask(uri, |a| Ok(question(a))).map_err(|why| (ErrorCode::RequestFailed, why))
    }

    fn try_ask<T: Serialize>(
        &mut self,
        uri: &lsp::Uri,
        question: impl FnOnce(&Asked<'_>) -> Result<T, String>,
    ) -> Result<Value, String> {
        let columns = self.columns;
        let Some((game, name)) = self.games.game_of(uri) else { return Ok(Value::Null) };
        let answer = question(&Asked { game, name: &name, columns })?;
        serde_json::to_value(answer).map_err(|e| e.to_string())
    }

    /// Takes notice of what the client tells.
    fn note(&mut self, n: Notification) {
        use lsp::notification as note;
        match n.method.as_str() {
            note::DidOpenTextDocument::METHOD => {
                if let Some(p) = read_note::<lsp::DidOpenTextDocumentParams>(n) {
                    let d = p.text_document;
                    self.games.put_document(d.uri, d.text, d.version);
                }
            }
            note::DidChangeTextDocument::METHOD => {
                if let Some(p) = read_note::<lsp::DidChangeTextDocumentParams>(n) {
                    self.change(p);
                }
            }
            note::DidCloseTextDocument::METHOD => {
                if let Some(p) = read_note::<lsp::DidCloseTextDocumentParams>(n) {
                    self.games.close_document(&p.text_document.uri);
                }
            }
            note::DidSaveTextDocument::METHOD | note::DidChangeWatchedFiles::METHOD => {
                self.games.forget_disk()
            }
            _ => {}
        }
    }

    /// Changes a text as the client has changed it.
    fn change(&mut self, p: lsp::DidChangeTextDocumentParams) {
        let uri = p.text_document.uri;
        let Some(document) = self.games.document(&uri) else { return };
        let mut text = document.text.clone();
        for change in p.content_changes {
            match change.range {
                Some(range) => {
                    let bytes = Lines::new(&text, self.columns).to_bytes(range);
                    text.replace_range(bytes, &change.text);
                }
                None => text = change.text,
            }
        }
        self.games.put_document(uri, text, p.text_document.version);
    }

    /// Tells the client findings that it does not know, those of set-ups only if `whole`.
    fn tell_findings(&mut self, whole: bool) {
        while let Some(at) = self.games.take_untold(whole) {
            let Some(game) = self.games.get(at) else { break };
            let mut all = Vec::new();
            for (_, f) in game.analysis.files.iter() {
                let Some(path) = game.path_of(&f.name) else { continue };
                let Some(uri) = to_uri(path) else { continue };
                let diagnostics = Asked { game, name: &f.name, columns: self.columns }.findings();
                // A file that never had findings needs no word.
                let document = self.games.document_at(path);
                if diagnostics.is_empty() && document.is_none() && !self.told.contains(uri.as_str()) {
                    continue;
                }
                // The client's own name for it, if it has one.
                let uri = document.map_or(uri, |d| d.uri.clone());
                all.push(lsp::PublishDiagnosticsParams {
                    uri,
                    diagnostics,
                    version: document.map(|d| d.version),
                });
            }
            for p in all {
                self.told.insert(p.uri.as_str().to_string());
                self.send(Message::Notification(Notification::new(
                    lsp::notification::PublishDiagnostics::METHOD.into(),
                    p,
                )));
            }
        }
    }
}

fn read<T: DeserializeOwned>(r: Request) -> Result<T, (ErrorCode, String)> {
    let _: RequestId = r.id;
    serde_json::from_value(r.params).map_err(|e| (ErrorCode::InvalidParams, e.to_string()))
}

/// What cannot be read is passed over: a notification has no answer.
fn read_note<T: DeserializeOwned>(n: Notification) -> Option<T> {
    serde_json::from_value(n.params).ok()
}
