import BillfoldJSON
import MiniPrograms

extension HostScript {
    private typealias Reader = ClosedObjectReader<AppContainerError>

    private static let members = [
        "appId", "name", "authClientId", "user", "features", "domains", "webDomains", "custom", "launch", "answers", "steps",
    ]
    private static let launchMembers = ["page", "query", "scene", "referrer", "link"]
    private static let answerMembers = ["match", "delay", "success", "fail"]
    /// What names a step, and what else it takes. `props` comes after `mount`, which takes it.
    private static let stepMembers: KeyValuePairs<String, [String]> = [
        "tap": ["with", "node"], "event": ["with", "node"], "wait": [], "hide": [], "show": [], "emit": ["data"],
        "mount": ["node", "parent", "props", "ref"], "mounted": [], "props": ["node"], "unmount": [], "reopen": [],
    ]
    private static let longestWait = 86_400_000.0
    private static let most = 10_000

    /// Reads a script's JSON text: every member is known and of its type, for what is passed over in silence is not noticed.
    ///
    /// Throws `malformed-script`, whose reason names the place and what there is.
    public init(_ bytes: [UInt8]) throws(AppContainerError) {
        let object: JSONObject
        do throws(JSONError) {
            object = try JSONReader.readObject(bytes, maximumBytes: 4_194_304, maximumDepth: 64)
        } catch {
            throw Self.malformed(error.reason)
        }
        let reader = try Self.reader(object, at: "", allowing: Self.members)
        identity.appID = try reader.optionalText("appId") ?? identity.appID
        identity.name = try reader.filledText("name") ?? ""
        identity.authClientID = try reader.optionalText("authClientId")
        identity.userID = try reader.optionalText("user") ?? identity.userID
        grant.customInterfaces = try reader.texts("custom", maximum: Self.most)
        grant.features = try Self.features(reader, custom: grant.customInterfaces)
        grant.requestDomains = Self.domains(try reader.texts("domains", maximum: Self.most))
        grant.webPageDomains = Self.domains(try reader.texts("webDomains", maximum: Self.most))
        if let value = object["launch"] { launch = try Self.launch(value, "launch") }
        answers = try Self.answers(object["answers"], custom: grant.customInterfaces)
        guard let values = object["steps"] else { return }
        guard let list = values.array else { throw Self.malformed("steps is no list, such as [{\"tap\":\"METHOD\"}]") }
        for (index, value) in list.enumerated() { steps.append(try Self.step(value, "steps[\(index)]")) }
    }

    private static func malformed(_ reason: String) -> AppContainerError { AppContainerError(code: .malformedScript, reason: reason) }

    /// Refuses a member that is none of these, and names them.
    private static func reader(_ object: JSONObject, at place: String, allowing known: [String]) throws(AppContainerError) -> Reader {
        if let unknown = object.members.first(where: { member in !known.contains { ExactText.equal($0, member.key) } }) {
            let named = AppContainerError.quoted(unknown.key, limit: 40)
            throw malformed(
                "\(named) is no member of \(place.isEmpty ? "a script" : place); there are \(known.joined(separator: ", "))")
        }
        return try Reader(object, path: place.isEmpty ? "" : place + ".", allowing: known)
    }

    /// Interfaces of the super app's own are enabled by naming them.
    private static func features(_ reader: Reader, custom: [String]) throws(AppContainerError) -> Set<String> {
        let names = try reader.texts("features", maximum: most)
        if let place = JSAPICatalogue.standard.firstUnknownFeature(in: names, customInterfaces: custom) {
            let known = JSAPICatalogue.standard.features.joined(separator: ", ")
            throw malformed("features[\(place)] is no feature; there are \(known), and custom.NAME for each NAME in custom")
        }
        return Set(names + custom.map { "custom." + $0 })
    }

    /// Plain HTTP is taken where a server of the list is on this machine, as the sandbox's phone takes it.
    private static func domains(_ hosts: [String]) -> DomainList {
        let isHere = hosts.contains { host in
            let name = host.split(separator: ":").first.map(String.init) ?? ""
            return ExactText.equal(name, "127.0.0.1") || ExactText.equal(name, "localhost")
        }
        return DomainList(hosts, allowsPlainHTTP: isHere)
    }

    private static func launch(_ value: JSONValue, _ place: String) throws(AppContainerError) -> LaunchOptions {
        guard let object = value.object else { throw malformed("\(place) is no object") }
        let reader = try reader(object, at: place, allowing: launchMembers)
        var query: [String: String] = [:]
        if let value = object["query"] {
            guard let members = value.members else { throw malformed("\(place).query is no object") }
            for member in members {
                guard let text = member.value.scalar else {
                    throw malformed("\(place).query holds something other than texts and numbers")
                }
                query[member.key] = text
            }
        }
        return LaunchOptions(
            page: try reader.filledText("page", maximum: 4_096) ?? "", query: query, scene: try reader.filledText("scene") ?? "",
            referrerAppID: try reader.optionalText("referrer"), isFromLink: object["link"] == nil ? false : try reader.bool("link"))
    }

    // MARK: Answers

    private static func answers(_ value: JSONValue?, custom: [String]) throws(AppContainerError) -> [String: [Answer]] {
        guard let value else { return [:] }
        guard let members = value.members else {
            throw malformed("answers is no object, such as {\"getAuthCode\":[{\"success\":{\"authCode\":\"code-1\"}}]}")
        }
        var answers: [String: [Answer]] = [:]
        for member in members {
            let place = "answers.\(AppContainerError.quoted(member.key, limit: 40))"
            try check(interface: member.key, place, custom: custom)
            var list: [Answer] = []
            for (index, value) in (member.value.array ?? [member.value]).enumerated() {
                list.append(try answer(value, "\(place)[\(index)]"))
            }
            answers[member.key] = list
        }
        return answers
    }

    /// An answer under a name that nobody calls would never be given.
    private static func check(interface name: String, _ place: String, custom: [String]) throws(AppContainerError) {
        let catalogue = JSAPICatalogue.standard
        // `selectorQuery` is the call behind `my.createSelectorQuery`.
        guard catalogue.interfaces[name] == nil, !custom.contains(where: { ExactText.equal($0, name) }),
            !ExactText.equal(name, "selectorQuery")
        else { return }
        if let alias = catalogue.aliases[name] {
            throw malformed("\(place): \(name) is another framework's name; the call that is answered is \(alias.interface)")
        }
        let near = catalogue.interfaces.keys.first { $0.lowercased() == name.lowercased() }
        throw malformed(
            "\(place) is no interface of my, and not in custom; "
                + (near.map { "letter case counts: \($0)" } ?? "getAuthCode, tradePay and request are some"))
    }

    private static func answer(_ value: JSONValue, _ place: String) throws(AppContainerError) -> Answer {
        guard let object = value.object else { throw malformed("\(place) is no object, such as {\"success\":{}}") }
        _ = try reader(object, at: place, allowing: answerMembers)
        let match = try object["match"].map { (value) throws(AppContainerError) in try self.object(value, "\(place).match") } ?? []
        let delay = try object["delay"].map { (value) throws(AppContainerError) in try milliseconds(value, "\(place).delay") } ?? 0
        switch (object["success"], object["fail"]) {
        case (let success?, nil): return Answer(.success(try self.object(success, "\(place).success")), match: match, delay: delay)
        case (nil, let fail?):
            let failure = try self.object(fail, "\(place).fail")
            guard let error = failure["error"]?.int else { throw malformed("\(place).fail has no error, a number such as 10") }
            return Answer(
                .failure(JSAPIFailure(error: error, errorMessage: failure["errorMessage"]?.string ?? ""), failure), match: match,
                delay: delay)
        case (_?, _?): throw malformed("\(place) has both success and fail")
        case (nil, nil): throw malformed("\(place) has neither success nor fail")
        }
    }

    // MARK: Steps

    private static func step(_ value: JSONValue, _ place: String) throws(AppContainerError) -> Step {
        guard let object = value.object else { throw malformed("\(place) is no object, such as {\"tap\":\"METHOD\"}") }
        guard let (kind, others) = stepMembers.first(where: { object[$0.key] != nil }) else {
            let kinds = stepMembers.map(\.key).joined(separator: ", ")
            let said = object.members.first.map { AppContainerError.quoted($0.key, limit: 40) } ?? "an empty object"
            throw malformed("\(place): \(said) is no step; there are \(kinds)")
        }
        let reader = try reader(object, at: place, allowing: [kind] + others)
        let node = try number("node", of: object, place)
        switch kind {
        case "tap", "event":
            let name = try reader.text(kind)
            guard let values = (object["with"] ?? .array([])).array else { throw malformed("\(place).with is no list") }
            let isTap = kind == "tap"
            let given = isTap && values.isEmpty ? [.object(JSONObject([.init("type", "tap")]))] : values
            return .event(name, given, isTap: isTap, node: node)
        case "wait": return .wait(try milliseconds(object[kind] ?? .null, "\(place).wait"))
        case "hide", "show":
            guard try reader.bool(kind) else { throw malformed("\(place).\(kind) is not true") }
            return kind == "hide" ? .hide : .show
        case "emit": return .emit(try reader.text(kind), object["data"] ?? .null)
        case "reopen": return .reopen(try launch(object[kind] ?? .null, "\(place).reopen"))
        default: return .component(try change(kind, reader, node: node, at: place))
        }
    }

    private static func change(
        _ kind: String, _ reader: Reader, node: Int, at place: String
    ) throws(AppContainerError) -> ComponentChange {
        let object = reader.object
        switch kind {
        case "mount":
            return .mount(
                node: node, parent: try number("parent", of: object, place), path: try reader.text(kind),
                props: try self.object(object["props"] ?? .object([]), "\(place).props"), ref: try reader.optionalText("ref"))
        case "mounted":
            let nodes = object[kind]?.array?.map(\.int) ?? [nil]
            guard nodes.allSatisfy({ $0 != nil }) else { throw malformed("\(place).mounted is no list of nodes' numbers") }
            return .mounted(nodes.compactMap { $0 })
        case "props": return .props(node: node, try self.object(object[kind] ?? .null, "\(place).props"))
        default: return .unmount(node: try number(kind, of: object, place))
        }
    }

    // MARK: Values

    private static func object(_ value: JSONValue, _ place: String) throws(AppContainerError) -> JSONObject {
        guard let object = value.object else { throw malformed("\(place) is no object") }
        return object
    }

    /// A whole number; 0 where it is absent.
    private static func number(_ key: String, of object: JSONObject, _ place: String) throws(AppContainerError) -> Int {
        guard let value = object[key] else { return 0 }
        guard let number = value.int else { throw malformed("\(place).\(key) is no whole number") }
        return number
    }

    private static func milliseconds(_ value: JSONValue, _ place: String) throws(AppContainerError) -> Double {
        guard let time = value.double, (0...longestWait).contains(time) else {
            throw malformed("\(place) is no number of milliseconds from 0 to 86400000")
        }
        return time
    }
}

extension AppContainerError: RequestRefusal {
    package static func malformed(_ reason: String) -> Self { Self(code: .malformedScript, reason: reason) }
}
