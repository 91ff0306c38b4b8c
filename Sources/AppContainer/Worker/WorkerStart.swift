import BillfoldJSON

/// The first frame: the program and its limits. The worker reads no file.
struct WorkerStart: Sendable {
    var code: MiniProgramCode
    var settings: LogicSettings
    var memoryBytes: Int
    /// Whether nothing is run without a sandbox that is sufficient.
    var requiresSandbox: Bool

    var json: JSONValue {
        let modules = code.modules.sorted { $0.key < $1.key }.map { path, module in
            JSONObject.Member(
                path,
                .object(JSONObject([.init("text", .string(module.text))] + (module.map.map { [.init("map", .string($0.text))] } ?? []))))
        }
        return .object(
            JSONObject([
                .init("pages", .array(code.pages.map(JSONValue.string))), .init("modules", .object(JSONObject(modules))),
                .init("appId", .string(settings.appID)), .init("seed", .string(String(settings.seed))),
                .init("custom", .array(settings.customInterfaces.map(JSONValue.string))),
                .init("turn", .number(String(settings.turnLimit / .milliseconds(1)))), .init("memory", .integer(memoryBytes)),
                .init("requiresSandbox", .bool(requiresSandbox)),
            ]))
    }

    init(code: MiniProgramCode, settings: LogicSettings, memoryBytes: Int, requiresSandbox: Bool) {
        self.code = code
        self.settings = settings
        self.memoryBytes = memoryBytes
        self.requiresSandbox = requiresSandbox
    }

    init(_ json: JSONValue) throws(AppContainerError) {
        guard let members = json["modules"]?.members, let appID = json["appId"]?.string,
            let seed = json["seed"]?.string.flatMap({ UInt64($0) }), let turn = json["turn"]?.double, let memory = json["memory"]?.int
        else { throw AppContainerError(code: .malformedFrame, reason: "a start that is none") }
        var modules: [String: MiniProgramCode.Module] = [:]
        for member in members {
            var module = MiniProgramCode.Module(text: member.value["text"]?.string ?? "")
            if let map = member.value["map"]?.string { module.map = try SourceMap([UInt8](map.utf8)) }
            modules[member.key] = module
        }
        code = MiniProgramCode(pages: json["pages"]?.array?.compactMap(\.string) ?? [], modules: modules)
        settings = LogicSettings(
            appID: appID, customInterfaces: json["custom"]?.array?.compactMap(\.string) ?? [], seed: seed,
            turnLimit: .milliseconds(Int(turn)))
        memoryBytes = memory
        requiresSandbox = json["requiresSandbox"]?.bool ?? true
    }
}
