import BillfoldJSON
import MiniPrograms

/// The trusted side of a run: holds every call against the mini program's grant before the host hears of it, keeps its pages and its
/// storage, and tells the logic what to do next. It knows whose script runs from the instance, never from what the script says.
///
/// Confined to one thread.
final class ProgramSupervisor {
    let identity: MiniProgramIdentity
    let host: any JSAPIHost
    private let grant: MiniProgramGrant
    private let limits: ContainerLimits
    private let catalogue: JSAPICatalogue
    private let storage: StorageCalls
    private let inbox: ProgramInbox
    private let hasApp: Bool
    private let now: () -> Double
    private let deliver: (LogicInput) -> Void

    private var pages: PageStack
    private var rate: CallRate
    private var waiting: [Int: String] = [:]
    private var lastWebCall = 0
    private var webReplies: [Int: @Sendable (JSAPIAnswer) -> Void] = [:]
    private var painted: Set<Int> = []
    private var options = LaunchOptions()
    private var lastTap: Double?
    private var comesFromLink = false
    private var endedTurns = 0
    private var showCycle = 0
    /// Calls of `getAuthCode` in this cycle that followed no tap.
    private var untappedCodes = 0
    private(set) var isOver = false

    init(
        code: MiniProgramCode, identity: MiniProgramIdentity, grant: MiniProgramGrant, limits: ContainerLimits, host: any JSAPIHost,
        store: any MiniProgramStore, inbox: ProgramInbox, now: @escaping () -> Double, deliver: @escaping (LogicInput) -> Void
    ) {
        self.identity = identity
        self.grant = grant
        self.limits = limits
        self.host = host
        self.inbox = inbox
        self.now = now
        self.deliver = deliver
        catalogue = .container(grant.customInterfaces)
        storage = StorageCalls(store: store, partition: identity.partition, limits: limits)
        hasApp = code.modules["/app.js"] != nil || code.modules["/app.ts"] != nil
        pages = PageStack(pages: code.pages, tabs: code.tabPages)
        rate = CallRate(perSecond: limits.callsPerSecond, burst: limits.callBurst)
    }

    // MARK: Life cycle

    /// Opens the mini program at its page; `unknown-page`.
    func launch(_ options: LaunchOptions) throws(AppContainerError) {
        let changes = try opening(options)
        deliver(LogicInput("launch", ["hasApp": .bool(hasApp), "options": .object(described(options))]))
        tell(changes)
    }

    /// A link led here again while it runs: App.onShow hears the new options and the page is opened anew (mini-programs.md#re-entry).
    func reopen(_ options: LaunchOptions) throws(AppContainerError) {
        let changes = try opening(options)
        deliver(LogicInput("show", ["options": .object(described(options)), "page": 0]))
        tell(changes)
    }

    private func opening(_ options: LaunchOptions) throws(AppContainerError) -> [PageStack.Change] {
        // The pages of an HTML5 mini program are its server's: the host opens them.
        if pages.pages.isEmpty {
            self.options = options
            comesFromLink = options.isFromLink
            return []
        }
        let isHome = options.page.isEmpty || options.page.hasPrefix("?")
        let page = (isHome ? pages.pages.first ?? "" : "") + options.page
        do throws(JSAPIFailure) {
            let changes = try pages.apply("reLaunch", JSONObject([.init("url", .string(page.hasPrefix("/") ? page : "/" + page))]))
            self.options = options
            comesFromLink = options.isFromLink
            return changes
        } catch {
            throw AppContainerError(code: .unknownPage, reason: error.errorMessage)
        }
    }

    /// The person went back, as `navigateBack` does; on the first page nothing happens.
    func back() {
        tapped()
        if let changes = try? pages.apply("navigateBack", []) { tell(changes) }
    }

    /// Back from the background without a link: the options are not told again (mini-programs.md#re-entry).
    func show() {
        deliver(
            LogicInput("show", ["options": .object(described(LaunchOptions(scene: options.scene))), "page": .integer(pages.top?.id ?? 0)]))
    }

    func hide() { deliver(LogicInput("hide", ["page": .integer(pages.top?.id ?? 0)])) }

    private func described(_ options: LaunchOptions) -> JSONObject {
        let query = options.query.sorted { $0.key < $1.key }.map { JSONObject.Member($0.key, .string($0.value)) }
        var object = JSONObject([
            .init("path", .string(pages.top?.route ?? "")), .init("query", .object(JSONObject(query))),
            .init("scene", .string(options.scene)),
        ])
        if let referrer = options.referrerAppID { object["referrerInfo"] = .object(JSONObject([.init("appId", .string(referrer))])) }
        return object
    }

    /// A method of the page on top or of a component is called; a tap lets what follows need one. Where there is no such method, a step
    /// of a run is an error (`unknown-handler`), and an event of a view deserves a warning.
    func event(_ handler: String, _ values: [JSONValue], node: Int, isTap: Bool, isStep: Bool = false) {
        guard !isOver, let page = pages.top else { return }
        if isTap { tapped() }
        var input = LogicInput(
            "event", ["page": .integer(page.id), "node": .integer(node), "handler": .string(handler), "values": .array(values)])
        if isStep { input.body["isStep"] = true }
        deliver(input)
    }

    /// A person tapped: what follows is no longer the link's doing.
    func tapped() {
        lastTap = now()
        comesFromLink = false
    }

    func tell(_ change: ComponentChange) {
        guard !isOver, let page = pages.top else { return }
        deliver(change.input(page: page.id))
    }

    func tell(_ input: LogicInput) {
        if !isOver { deliver(input) }
    }

    private var followsTap: Bool { lastTap.map { now() - $0 <= 5000 } ?? false }

    func stop(_ error: AppContainerError?) {
        guard !isOver else { return }
        isOver = true
        host.observe(.ended(error))
        for reply in webReplies.values { reply(.failure(JSAPIFailure(.unknown, "the mini program has ended"))) }
        webReplies = [:]
    }

    private func tell(_ changes: [PageStack.Change]) {
        guard !changes.isEmpty else { return }
        for change in changes {
            switch change {
            case .load(let page, _): host.observe(.opened(page: page.id, route: page.route))
            case .unload(let page):
                painted.remove(page.id)
                host.observe(.closed(page: page.id, route: page.route))
            case .show(let page): host.observe(.shown(page: page.id, route: page.route))
            case .hide: break
            }
        }
        if changes.contains(where: { if case .show = $0 { true } else { false } }) {
            showCycle += 1
            untappedCodes = 0
        }
        deliver(
            LogicInput(
                "pages",
                ["stack": .array(pages.stack.map { .integer($0.id) }), "changes": .array(changes.map(\.json))]))
    }

    // MARK: What the logic tells

    func receive(_ output: LogicOutput) {
        guard !isOver else { return }
        switch output.kind {
        case "call":
            call(output.body["id"]?.int ?? 0, name: output.body["name"]?.string ?? "", arguments: output.body["arguments"] ?? .null)
        case "abort": waiting[output.body["id"]?.int ?? 0] = nil
        case "update": update(output.body)
        case "console":
            host.observe(.console(level: output.body["level"]?.string ?? "log", text: output.body["text"]?.string ?? ""))
        case "warning": host.observe(.warning(output.body["text"]?.string ?? ""))
        case "error":
            let error = ProgramError(output.body)
            host.observe(.error(error))
            guard error.code == AppContainerError.Code.turnTimeExceeded.description else { return }
            endedTurns += 1
            if endedTurns >= limits.endedTurns {
                stop(AppContainerError(code: .programStopped, reason: "\(endedTurns) turns ran longer than they may"))
            }
        default: break
        }
    }

    private func update(_ body: JSONObject) {
        guard let update = ViewUpdate(body, routes: pages.stack) else { return }
        if update.bytes > limits.updateWarningBytes {
            host.observe(.warning("setData of \(update.bytes) bytes on \(update.route): more than \(limits.updateWarningBytes) is slow"))
        }
        host.show(update) { [inbox] in inbox.put(.painted(page: update.page, batch: update.batch)) }
    }

    /// What arrived from other threads, or from the host while it was asked.
    func drain() {
        for message in inbox.take() where !isOver {
            switch message {
            case .reply(let id, let answer): finish(id, answer)
            case .painted(let page, let batch):
                let isFirst = pages.stack.contains { $0.id == page } && painted.insert(page).inserted
                deliver(LogicInput("painted", ["page": .integer(page), "batch": .integer(batch), "first": .bool(isFirst)]))
            }
        }
    }

    // MARK: Calls

    private func call(_ id: Int, name: String, arguments: JSONValue) {
        host.observe(.called(name: name, arguments: arguments))
        waiting[id] = name
        do throws(JSAPIFailure) {
            try admit(arguments)
            try start(id, try checked(name, arguments, from: .script))
        } catch {
            finish(id, .failure(error))
        }
    }

    /// A page in a web view calls. Only the main frame's own origin counts, as the web view gives it, and only listed sites are heard.
    func callFromWebPage(
        _ name: String, _ arguments: JSONValue, origin: String, then reply: @escaping @Sendable (JSAPIAnswer) -> Void
    ) {
        host.observe(.called(name: name, arguments: arguments))
        do throws(JSAPIFailure) {
            guard !isOver else { throw JSAPIFailure(.unknown, "the mini program has ended") }
            if let refusal = grant.webPageDomains.refusal(of: origin) {
                throw JSAPIFailure(.noPermission, "the web page may not call: \(refusal)")
            }
            try admit(arguments)
            let call = try checked(name, arguments, from: .webPage)
            lastWebCall -= 1
            (waiting[lastWebCall], webReplies[lastWebCall]) = (name, reply)
            try start(lastWebCall, call)
        } catch {
            host.observe(.answered(name: name, .failure(error)))
            reply(.failure(error))
        }
    }

    /// Rate, number and size, before anything is looked at.
    private func admit(_ arguments: JSONValue) throws(JSAPIFailure) {
        guard rate.takes(at: now()) else {
            throw JSAPIFailure(error: 20, errorMessage: "too many calls: at most \(limits.callsPerSecond) a second")
        }
        guard waiting.count <= limits.waitingCalls else {
            throw JSAPIFailure(error: 20, errorMessage: "more than \(limits.waitingCalls) calls wait for an answer")
        }
        guard arguments.isWithin(limits.argumentBytes) else {
            throw JSAPIFailure(.invalidParameter, "the arguments have more than \(limits.argumentBytes) bytes")
        }
    }

    private func checked(
        _ name: String, _ arguments: JSONValue, from surface: JSAPI.Surface
    ) throws(JSAPIFailure) -> JSAPICatalogue.Call {
        let call = try catalogue.read(name, arguments, from: surface, features: grant.features)
        for hint in call.hints { host.observe(.warning(hint)) }
        if comesFromLink, grant.needTapAfterLink.contains(call.interface.name) {
            throw JSAPIFailure(.noPermission, "\(call.interface.name) needs a tap, because a link opened the mini program")
        }
        if call.interface.handler == .network, let address = call.arguments["url"]?.string,
            let refusal = grant.requestDomains.refusal(of: address)
        {
            throw JSAPIFailure(error: 11, errorMessage: "\(call.interface.name): \(refusal)")
        }
        return call
    }

    private func start(_ id: Int, _ call: JSAPICatalogue.Call) throws(JSAPIFailure) {
        let name = call.interface.name
        switch name {
        case "navigateTo", "redirectTo", "navigateBack", "reLaunch", "switchTab":
            let changes = try pages.apply(name, call.arguments)
            tell(changes)
            return finish(id, .success([]))
        // It was only to be judged: the web view's bridge tells the page of it.
        case "postMessage": return finish(id, .success([]))
        case "setStorage", "getStorage", "removeStorage", "clearStorage", "getStorageInfo":
            return finish(id, storage.answer(name, call.arguments))
        case "getAuthCode":
            untappedCodes += followsTap ? 0 : 1
            if untappedCodes == 2 {
                host.observe(.warning("getAuthCode was called twice since the page was shown: from onShow it repeats for ever"))
            }
        // The scanner lies over the page (mini-programs.md#scan [D]).
        case "scan": hide()
        default: break
        }
        let asked = JSAPICall(
            name: name, arguments: call.arguments, identity: identity, page: pages.top?.route ?? "",
            showCycle: showCycle, followsTap: followsTap, comesFromLink: comesFromLink,
            surface: id < 0 ? .webPage : .script)
        host.answer(asked) { [inbox] in inbox.put(.reply(id, $0)) }
    }

    private func finish(_ id: Int, _ answer: JSAPIAnswer) {
        guard let name = waiting.removeValue(forKey: id) else { return }
        var answer = answer
        switch catalogue[name]?.name {
        case "request", "downloadFile", "uploadFile": answer = settled(answer, name)
        case "scan": show()
        default: break
        }
        host.observe(.answered(name: name, answer))
        if let reply = webReplies.removeValue(forKey: id) { return reply(answer) }
        deliver(.answer(id, answer))
    }

    /// An answer of a server: held against the list again where it was redirected, and a failure from status 400 on
    /// (mini-programs.md#domains, mini-programs.md#request).
    private func settled(_ answer: JSAPIAnswer, _ name: String) -> JSAPIAnswer {
        guard case .success(var object) = answer else { return answer }
        for address in object["redirects"]?.array ?? [] {
            if let refusal = grant.requestDomains.refusal(of: address.string ?? "") {
                return .failure(JSAPIFailure(error: 11, errorMessage: "\(name) was redirected: \(refusal)"))
            }
        }
        object["redirects"] = nil
        if let status = object["status"]?.int, status >= 400 {
            return .failure(JSAPIFailure(error: 19, errorMessage: "\(name): HTTP status \(status)"), object)
        }
        return .success(object)
    }

    func callSync(_ name: String, _ arguments: JSONValue) -> JSONObject {
        host.observe(.called(name: name, arguments: arguments))
        var answer: JSAPIAnswer
        do throws(JSAPIFailure) {
            try admit(arguments)
            let call = try checked(name, arguments, from: .script)
            answer =
                name == "getSystemInfoSync"
                ? .success(host.systemInfo) : storage.answer(String(name.dropLast("Sync".count)), call.arguments)
        } catch {
            answer = .failure(error)
        }
        host.observe(.answered(name: name, answer))
        return answer.object
    }
}
