import BillfoldJSON
import MiniPrograms

#if canImport(CJavaScriptCore)
    import CJavaScriptCore
#else
    import JavaScriptCore
#endif

/// What the logic needs from outside while a turn runs. All of it is recorded, so that a run can be repeated.
protocol LogicEnvironment: AnyObject {
    /// Milliseconds since 1970.
    func now() -> Double
    func emit(_ output: LogicOutput)
    /// Answers at once: storage and the system's data.
    func callSync(_ name: String, _ arguments: JSONValue) -> JSONObject
}

/// What a run of the logic is started with.
struct LogicSettings: Sendable {
    var appID: String
    /// Names added to the standard catalogue, reached by `my.name` and `my.call`.
    var customInterfaces: [String] = []
    var seed: UInt64
    /// How long one turn may run.
    var turnLimit: Duration

    static let events = [
        "networkStatusChange", "socketOpen", "socketMessage", "socketError", "socketClose", "memoryWarning", "userCaptureScreen",
        "appShow", "appHide",
    ]

    var catalogue: JSAPICatalogue { .container(customInterfaces) }
}

extension JSAPICatalogue {
    /// The standard interfaces, the super app's own, and what the container's scripts call for a selector query and for a web view's page.
    static func container(_ custom: [String]) -> JSAPICatalogue {
        var catalogue = JSAPICatalogue.standard
        catalogue.add(JSAPI("selectorQuery", needs: ["steps": .array], surfaces: [.script]))
        catalogue.add(JSAPI("postWebViewMessage", needs: ["id": .string], takes: ["data": .any], surfaces: [.script]))
        for name in custom { catalogue.add(JSAPI(name, permission: .feature("custom." + name), surfaces: [.script])) }
        return catalogue
    }
}

/// A mini program's script in an engine of its own: inputs in, outputs out, one turn each.
///
/// It holds no rule that protects anybody: what it asks for is checked by whoever answers. Confined to one thread.
final class LogicLayer {
    private let engine: JavaScriptEngine
    private let code: MiniProgramCode
    private let settings: LogicSettings
    private let catalogue: JSAPICatalogue
    private unowned let environment: any LogicEnvironment
    private var random: SplitMix64
    private var deliverFunction: JSObjectRef?
    private var flushFunction: JSObjectRef?
    /// Whether the view has something to hear of since it was told last.
    private var hasChanges = false

    private static let wrapper = "(function (require, module, exports) {"
    private static let scripts: [(String, [UInt8])] = [
        ("core", PackageResources.core_js), ("modules", PackageResources.modules_js), ("data", PackageResources.data_js),
        ("pages", PackageResources.pages_js), ("components", PackageResources.components_js), ("my", PackageResources.my_js),
    ]
    /// The scripts as texts, made once for all programs.
    private static let scriptTexts = scripts.map { ($0.0, "(function (native, kit) {" + String(decoding: $0.1, as: UTF8.self) + "\n})") }

    /// - Parameter engine: One that has run nothing yet; nil starts one.
    /// - Throws: `engine-unavailable`.
    init(
        code: MiniProgramCode, settings: LogicSettings, environment: any LogicEnvironment, engine: JavaScriptEngine? = nil
    ) throws(AppContainerError) {
        self.code = code
        self.settings = settings
        self.environment = environment
        catalogue = settings.catalogue
        random = SplitMix64(seed: settings.seed)
        self.engine = if let engine { engine } else { try JavaScriptEngine() }
        self.engine.arm(.seconds(10))
        do throws(JavaScriptFault) {
            try start()
        } catch {
            throw AppContainerError(
                code: .engineUnavailable, reason: "\(error.file ?? "")\(error.line.map { ":\($0)" } ?? ""): \(error.message)")
        }
    }

    private func start() throws(JavaScriptFault) {
        let native = engine.newObject()
        let kit = engine.newObject()
        for entry in bridge { engine.set(entry.name, of: native, to: engine.function(entry.body)) }
        for (name, text) in Self.scriptTexts {
            let body = try engine.hold(try engine.evaluate(text, name: "container:\(name).js"))
            _ = try engine.call(body, [native, kit])
        }
        deliverFunction = try engine.hold(engine.property("deliver", of: kit) ?? engine.undefined)
        flushFunction = try engine.hold(engine.property("flush", of: kit) ?? engine.undefined)
        engine.onUnhandledRejection(try engine.hold(engine.property("unhandled", of: kit) ?? engine.undefined))
        engine.forbidTextAsCode()
    }

    // MARK: Turns

    /// Runs one turn: the input, its microtasks, then one message for each page that changed.
    ///
    /// - Returns: Whether the turn ended by itself.
    @discardableResult
    func deliver(_ input: LogicInput) -> Bool {
        guard let deliverFunction, let flushFunction else { return false }
        engine.arm(settings.turnLimit)
        let endedByItself = attempt("turn \(input.kind)") { () throws(JavaScriptFault) in
            let body = JSONValue.object(input.body).text
            _ = try engine.call(deliverFunction, [engine.string(input.kind), engine.string(body)])
        }
        guard hasChanges else { return endedByItself }
        // What the turn changed before is shown. Otherwise the update is a part of the turn and of its time.
        if !endedByItself { engine.arm(settings.turnLimit) }
        let isShown = attempt("update of the view") { () throws(JavaScriptFault) in
            let text = engine.text(try engine.call(flushFunction, []))
            hasChanges = false
            emitUpdates(text)
        }
        return endedByItself && isShown
    }

    /// Runs a part of a turn and tells what went wrong. Returns whether it ended by itself.
    private func attempt(_ place: String, _ body: () throws(JavaScriptFault) -> Void) -> Bool {
        do throws(JavaScriptFault) { try body() } catch { if !engine.wasEnded { report(place, error) } }
        guard engine.wasEnded else { return true }
        let seconds = settings.turnLimit / .seconds(1)
        emit(
            "error",
            [
                "where": .string(place), "code": .string(AppContainerError.Code.turnTimeExceeded.description),
                "message": .string("the turn ran longer than \(seconds) s and was ended"),
            ])
        return false
    }

    private func emitUpdates(_ text: String) {
        guard let updates = try? Self.read(text).array else { return }
        for update in updates {
            guard var body = update.object else { continue }
            body["bytes"] = .integer(text.utf8.count)
            environment.emit(LogicOutput(kind: "update", body: body))
        }
    }

    private func emit(_ kind: String, _ body: KeyValuePairs<String, JSONValue>) {
        environment.emit(LogicOutput(kind: kind, body: JSONObject(body.map { .init($0.key, $0.value) })))
    }

    private static func read(_ text: String) throws(JSONError) -> JSONValue {
        try JSONReader.read([UInt8](text.utf8), maximumBytes: 16_777_216, maximumDepth: 128)
    }

    // MARK: Errors

    private func report(_ place: String, _ fault: JavaScriptFault) {
        var body = JSONObject([
            .init("where", .string(place)), .init("message", .string(fault.message)), .init("stack", .string(fault.stack)),
        ])
        body["file"] = fault.file.map(JSONValue.string)
        body["line"] = fault.line.map(JSONValue.integer)
        body["column"] = fault.column.map(JSONValue.integer)
        environment.emit(LogicOutput(kind: "error", body: translated(body)))
    }

    /// An error's places in the files that the author wrote, without the container's own frames.
    private func translated(_ error: JSONObject) -> JSONObject {
        var body = error
        let frames = StackFrame.read(error["stack"]?.string ?? "").filter { !$0.file.hasPrefix("container:") }.map(original)
        body["stack"] = .array(frames.map { .string($0.description) })
        // The engine's own member names where a syntax error lies; for others the innermost frame of the program's own.
        if let file = error["file"]?.string, !file.hasPrefix("container:"), let line = error["line"]?.int {
            let frame = original(StackFrame(name: "", file: file, line: line, column: error["column"]?.int ?? 1))
            (body["file"], body["line"], body["column"]) = (.string(frame.file), .integer(frame.line), .integer(frame.column))
        } else if let frame = frames.first {
            (body["file"], body["line"], body["column"]) = (.string(frame.file), .integer(frame.line), .integer(frame.column))
        } else {
            (body["file"], body["line"], body["column"]) = (nil, nil, nil)
        }
        if body["code"] == nil { body["code"] = .string(AppContainerError.Code.scriptError.description) }
        return body
    }

    private func original(_ frame: StackFrame) -> StackFrame {
        var frame = frame
        if frame.line == 1, code.modules[frame.file] != nil { frame.column = max(1, frame.column - Self.wrapper.utf16.count) }
        // Each file is packed by itself, so its map's only source is the file of the same path.
        if let place = code.modules[frame.file]?.map?.original(line: frame.line, column: frame.column) {
            (frame.line, frame.column) = (place.line, place.column)
        }
        return frame
    }

    // MARK: The bridge

    /// A list of the functions themselves, which throw a typed error, would need iOS 18.
    private struct Bridged {
        let name: String
        let body: JavaScriptEngine.NativeBody
    }

    private var bridge: [Bridged] {
        [
            Bridged(name: "now") { [environment] engine, _ in engine.number(environment.now()) },
            Bridged(name: "random") { [unowned self] engine, _ in engine.number(random.nextUnit()) },
            Bridged(name: "changed") { [unowned self] _, _ in
                hasChanges = true
                return nil
            },
            Bridged(name: "settings") { [settings, catalogue] engine, _ in engine.string(Self.settingsText(settings, catalogue)) },
            Bridged(name: "emit") { [unowned self] engine, values in
                guard values.count == 2, let body = try? Self.read(engine.text(values[1])).object else { return nil }
                let kind = engine.text(values[0])
                environment.emit(LogicOutput(kind: kind, body: kind == "error" ? translated(body) : body))
                return nil
            },
            Bridged(name: "call") { [environment] engine, values in
                guard values.count == 3 else { return nil }
                let arguments = Self.arguments(engine.text(values[2]))
                let id = Int(exactly: engine.double(values[0])) ?? 0
                environment.emit(
                    LogicOutput(
                        kind: "call",
                        body: JSONObject([
                            .init("id", .integer(id)), .init("name", .string(engine.text(values[1]))), .init("arguments", arguments),
                        ])))
                return nil
            },
            Bridged(name: "callSync") { [environment] engine, values in
                guard values.count == 2 else { return nil }
                let arguments = Self.arguments(engine.text(values[1]))
                return engine.string(JSONValue.object(environment.callSync(engine.text(values[0]), arguments)).text)
            },
            Bridged(name: "canIUse") { [catalogue] engine, values in
                engine.boolean(values.first.map { catalogue.canIUse(engine.text($0)) } ?? false)
            },
            Bridged(name: "resolve") { [code] engine, values throws(JavaScriptFault) in
                guard values.count == 2 else { return nil }
                do throws(AppContainerError) {
                    return engine.string(try code.resolve(engine.text(values[1]), from: engine.text(values[0])))
                } catch {
                    throw JavaScriptFault(message: "\(error)")
                }
            },
            Bridged(name: "module") { [unowned self] engine, values throws(JavaScriptFault) in
                try values.first.map { (path) throws(JavaScriptFault) in try module(engine.text(path)) } ?? engine.undefined
            },
        ]
    }

    /// What is nested too deeply or too large becomes a value that no interface takes.
    private static func arguments(_ text: String) -> JSONValue { (try? read(text)) ?? .bool(false) }

    private func module(_ path: String) throws(JavaScriptFault) -> JSValueRef {
        guard let module = code.modules[path] else {
            throw JavaScriptFault(
                message: "\(AppContainerError.Code.moduleNotFound): \(AppContainerError.quoted(path)) is not in the package")
        }
        if path.hasSuffix(".json") { return engine.string(module.text) }
        return try engine.evaluate(Self.wrapper + module.text + "\n})", name: path)
    }

    private static func settingsText(_ settings: LogicSettings, _ catalogue: JSAPICatalogue) -> String {
        let names = Set(catalogue.interfaces.keys).union(catalogue.aliases.keys)
            .subtracting([
                "selectorQuery", "postWebViewMessage", "createSelectorQuery", "createWebViewContext", "canIUse", "getEnv",
            ]).sorted()
        return JSONValue.object(
            JSONObject([
                .init("appId", .string(settings.appID)), .init("version", .string(JSAPICatalogue.baseLibraryVersion)),
                .init("interfaces", .array(names.map(JSONValue.string))),
                .init("events", .array(LogicSettings.events.map(JSONValue.string))),
            ])
        ).text
    }
}
