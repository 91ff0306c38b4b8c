public import BillfoldJSON
import MiniPrograms

/// What a host without a person does in a run: how calls are answered, and what happens on the page, step by step.
///
/// ```json
/// {
///   "appId": "2021000000000000", "authClientId": "merchant-1", "user": "u-1",
///   "features": ["auth", "payment"], "domains": ["api.merchant.example"],
///   "launch": {"page": "pages/index/index", "query": {"table": "7"}, "link": false},
///   "answers": {
///     "getAuthCode": [{"success": {"authCode": "code-1"}}],
///     "request": [{"match": {"url": "https://api.merchant.example/pay"}, "delay": 120, "success": {"status": 200, "data": {}}}],
///     "tradePay": [{"success": {"resultCode": "6001"}}, {"success": {"resultCode": "9000"}}]
///   },
///   "steps": [
///     {"tap": "onPay"}, {"wait": 1000}, {"event": "onInput", "with": [{"detail": {"value": "3"}}]}, {"hide": true}, {"show": true}
///   ]
/// }
/// ```
///
/// Answers of one name are given in their order, and the last one again and again; one with `match` only to calls with those arguments.
public struct HostScript: Sendable {
    /// One answer.
    public struct Answer: Sendable {
        var match: JSONObject
        /// Milliseconds of the run's own clock.
        var delay: Double
        var answer: JSAPIAnswer

        public init(_ answer: JSAPIAnswer, match: JSONObject = [], delay: Double = 0) {
            self.match = match
            self.delay = delay
            self.answer = answer
        }
    }

    /// One thing that happens when nothing is left to do.
    public enum Step: Sendable {
        case event(String, [JSONValue], isTap: Bool, node: Int)
        case wait(Double)
        case hide
        case show
        case emit(String, JSONValue)
        case component(ComponentChange)
        case reopen(LaunchOptions)
    }

    public var identity = MiniProgramIdentity(appID: "mini-program", userID: "user")
    public var grant = MiniProgramGrant()
    public var launch = LaunchOptions()
    public var answers: [String: [Answer]] = [:]
    public var steps: [Step] = []

    /// A script that answers nothing, for a program that is opened and looked at.
    public init() {}

    /// Reads a script's JSON text; `malformed-script`.
    public init(_ bytes: [UInt8]) throws(AppContainerError) {
        let object: JSONObject
        do throws(JSONError) {
            object = try JSONReader.readObject(bytes, maximumBytes: 4_194_304, maximumDepth: 64)
        } catch {
            throw Self.malformed(error.reason)
        }
        let known: Set<String> = [
            "appId", "name", "authClientId", "user", "features", "domains", "webDomains", "custom", "launch", "answers", "steps",
        ]
        if let unknown = object.members(besides: known).first {
            throw Self.malformed("\(AppContainerError.quoted(unknown.key, limit: 40)) is no member of a script")
        }
        identity.appID = object["appId"]?.string ?? identity.appID
        identity.name = object["name"]?.string ?? ""
        identity.authClientID = object["authClientId"]?.string
        identity.userID = object["user"]?.string ?? identity.userID
        grant.customInterfaces = Self.texts(object["custom"])
        grant.features = Set(Self.texts(object["features"]) + grant.customInterfaces.map { "custom." + $0 })
        grant.requestDomains = DomainList(Self.texts(object["domains"]))
        grant.webPageDomains = DomainList(Self.texts(object["webDomains"]))
        launch = Self.launch(object["launch"])
        for (index, step) in (object["steps"]?.array ?? []).enumerated() { steps.append(try Self.step(step, index)) }
        for member in object["answers"]?.members ?? [] {
            var list: [Answer] = []
            for (index, value) in (member.value.array ?? [member.value]).enumerated() {
                list.append(try Self.answer(value, "answers.\(AppContainerError.quoted(member.key, limit: 40))[\(index)]"))
            }
            answers[member.key] = list
        }
    }

    private static func texts(_ value: JSONValue?) -> [String] { value?.array?.compactMap(\.string) ?? [] }

    private static func launch(_ value: JSONValue?) -> LaunchOptions {
        let query = value?["query"]?.members?.map { ($0.key, $0.value.scalar ?? "") } ?? []
        return LaunchOptions(
            page: value?["page"]?.string ?? "", query: Dictionary(query, uniquingKeysWith: { $1 }), scene: value?["scene"]?.string ?? "",
            referrerAppID: value?["referrer"]?.string, isFromLink: value?["link"]?.bool ?? false)
    }

    private static func answer(_ value: JSONValue, _ place: String) throws(AppContainerError) -> Answer {
        guard let object = value.object else { throw malformed("\(place) is no object") }
        let (match, delay) = (object["match"]?.object ?? [], object["delay"]?.double ?? 0)
        if let success = object["success"] {
            return Answer(.success(success.object ?? []), match: match, delay: delay)
        }
        guard let failure = object["fail"]?.object, let error = failure["error"]?.int else {
            throw malformed("\(place) has no \"success\", and no \"fail\" with \"error\"")
        }
        return Answer(
            .failure(JSAPIFailure(error: error, errorMessage: failure["errorMessage"]?.string ?? ""), failure), match: match, delay: delay)
    }

    private static func step(_ value: JSONValue, _ index: Int) throws(AppContainerError) -> Step {
        let values = value["with"]?.array ?? []
        let node = value["node"]?.int ?? 0
        if let name = value["tap"]?.string {
            return .event(name, values.isEmpty ? [.object(JSONObject([.init("type", "tap")]))] : values, isTap: true, node: node)
        }
        if let name = value["event"]?.string { return .event(name, values, isTap: false, node: node) }
        if let wait = value["wait"]?.double, (0...86_400_000).contains(wait) { return .wait(wait) }
        if value["hide"] != nil { return .hide }
        if value["show"] != nil { return .show }
        if let event = value["emit"]?.string { return .emit(event, value["data"] ?? .null) }
        if let path = value["mount"]?.string {
            return .component(
                .mount(
                    node: node, parent: value["parent"]?.int ?? 0, path: path, props: value["props"]?.object ?? [],
                    ref: value["ref"]?.string))
        }
        if let nodes = value["mounted"]?.array { return .component(.mounted(nodes.compactMap(\.int))) }
        if let props = value["props"]?.object { return .component(.props(node: node, props)) }
        if let node = value["unmount"]?.int { return .component(.unmount(node: node)) }
        if value["reopen"] != nil { return .reopen(launch(value["reopen"])) }
        throw malformed("steps[\(index)] says nothing that is known")
    }

    private static func malformed(_ reason: String) -> AppContainerError { AppContainerError(code: .malformedScript, reason: reason) }
}
