import AppContainer
import BillfoldJSON
import BillfoldTrace
import Foundation
import MiniPrograms

/// One run of a mini program on the phone: what its page shows, what it asked for, and what the person is asked for it.
@MainActor
final class PhoneRun {
    /// Names the run in the trace.
    let id: String
    let opened: OpenedMiniProgram
    private(set) var program: SuperAppScreen.Program
    private(set) var calls: [SuperAppScreen.Call] = []
    private(set) var deliveries: [SuperAppScreen.Delivery] = []
    private(set) var toast: SuperAppScreen.Toast?
    private(set) var loading: String?

    /// Of the script's lines, shared with its host.
    var lineCount: LineCount { lines }
    /// Something of it changed.
    var onChange: () -> Void = {}
    /// It is over by itself; nil where the host ended it.
    var onEnd: (AppContainerError?) -> Void = { _ in }
    /// It asks for another mini program.
    var onNavigate: (_ appID: String, LaunchOptions) -> Void = { _, _ in }
    /// It asks to be closed.
    var onLeave: () -> Void = {}

    private let person: PhonePerson
    private let reporter: PartyReporter
    private var instance: (any ProgramInstance)?
    private var bridge: WebBridge?
    private var pages: [(id: Int, route: String)] = []
    private var data: [Int: PageData] = [:]
    private var titles: [Int: String] = [:]
    private var top: Int?
    private var clipboard = ""
    private var isDrawing = false
    private var controls: [String: [TemplateControl]] = [:]
    private let lines = LineCount()
    private var callCount = 0
    private var toastCount = 0
    private var deliveryCount = 0

    init(id: String, opened: OpenedMiniProgram, person: PhonePerson, reporter: PartyReporter) {
        self.id = id
        self.opened = opened
        self.person = person
        self.reporter = reporter
        let metadata = opened.metadata
        program = .init(
            appId: metadata.appID, name: metadata.name, version: metadata.version.description,
            kind: metadata.webPage == nil ? .script : .web, title: metadata.name, webPage: metadata.webPage)
    }

    /// Takes the instance that runs it, and hears what happens in it until it is over.
    func start(_ instance: any ProgramInstance, hearing events: AsyncStream<PhoneHost.Event>, options: LaunchOptions) {
        self.instance = instance
        if program.kind == .web { bridge = WebBridge(program: instance) }
        Task { [weak self] in for await event in events { self?.take(event) } }
        instance.launch(options)
    }

    var correlation: [String: String] { [Correlation.run: id] }

    // MARK: The person

    /// Calls a method of the page on top, as a tap or an input does.
    func event(_ handler: String, text: String?, dataset: [String: String]) {
        let data = JSONObject(dataset.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })
        let target = JSONValue.object(JSONObject([.init("dataset", .object(data))]))
        var event = JSONObject([.init("type", text == nil ? "tap" : "input"), .init("target", target), .init("currentTarget", target)])
        event["detail"] = .object(text.map { JSONObject([.init("value", .string($0))]) } ?? [])
        instance?.trigger(handler, [.object(event)], node: 0, isTap: text == nil)
    }

    /// Whether there was a page to go back to.
    func back() -> Bool {
        guard program.canGoBack else { return false }
        instance?.back()
        return true
    }

    func reopen(_ options: LaunchOptions) { instance?.reopen(options) }

    /// A message of the page in the frame, with the origin that the browser saw.
    func receive(_ text: String, origin: String, hasTap: Bool) {
        guard let bridge else { return }
        if hasTap { instance?.tapped() }
        Task {
            guard let delivery = await bridge.receive(text, origin: origin), let text = delivery.text(forPageOf: delivery.origin) else {
                return
            }
            deliveryCount += 1
            deliveries.append(.init(number: deliveryCount, origin: delivery.origin, text: text))
            // A page that takes nothing any more does not fill the memory.
            while deliveries.count > 500 || deliveries.reduce(0, { $0 + $1.text.utf8.count }) > 4 << 20, deliveries.count > 1 {
                deliveries.removeFirst()
            }
            changed()
        }
    }

    /// The page has what came up to a number.
    func acknowledge(deliveriesUpTo number: Int) {
        deliveries.removeAll { $0.number <= number }
        changed()
    }

    func dismissToast() {
        toast = nil
        changed()
    }

    /// Shows what changed, some thirty times a second at most.
    private func changed() {
        guard !isDrawing else { return }
        isDrawing = true
        Task { [weak self] in
            try? await Task.sleep(for: .milliseconds(30))
            guard let self else { return }
            isDrawing = false
            drawPage()
            onChange()
        }
    }

    func end() {
        instance?.end()
        instance = nil
    }

    // MARK: What happens in it

    private func take(_ event: PhoneHost.Event) {
        switch event {
        case .call(let call, let reply): Task { reply(await answer(call)) }
        case .update(let update, let painted):
            for change in update.changes { data[update.page, default: PageData()].apply(change) }
            changed()
            painted()
        case .happened(let event): take(event)
        }
    }

    private func take(_ event: ProgramEvent) {
        switch event {
        case .called(let name, let arguments): called(name, arguments)
        case .answered(let name, let answer): answered(name, answer)
        case .opened(let page, let route): pages.append((page, route))
        case .closed(let page, _):
            pages.removeAll { $0.id == page }
            (data[page], titles[page]) = (nil, nil)
        case .shown(let page, _):
            top = page
            changed()
        case .console(let level, let text):
            lines.isShown()
            log(level == "error" || level == "warn" ? level : "log", text)
        case .warning(let text): log("warn", text)
        case .error(let error): log("error", error.description)
        case .ended(let error):
            if let error { log("error", "\(error)") }
            onEnd(error)
        }
    }

    /// Brings the page on top up to date. What its template lets a person touch comes with its first data: before them its script is not
    /// there yet.
    private func drawPage() {
        let route = pages.last { $0.id == top }?.route
        program.route = route
        program.canGoBack = pages.count > 1
        guard let top, let route else { return }
        program.title = titles[top] ?? title(of: route)
        guard let data = data[top] else {
            (program.data, program.controls) = (nil, nil)
            return
        }
        program.data = data.lines
        if controls[route] == nil { controls[route] = TemplateControl.all(in: text("\(route).axml")) }
        program.controls = controls[route]
    }

    private func title(of route: String) -> String {
        let object = try? JSONReader.readObject(opened.files["\(route).json"] ?? [], maximumBytes: 65_536)
        return object?["defaultTitle"]?.string ?? opened.metadata.name
    }

    private func text(_ path: String) -> String { String(decoding: opened.files[path] ?? [], as: UTF8.self) }

    private func log(_ level: String, _ text: String) {
        program.log = program.log.suffix(19) + [.init(level: level, text: String(text.prefix(500)))]
        changed()
    }

    private func called(_ name: String, _ arguments: JSONValue) {
        callCount += 1
        let fields = JSAPIWords.fields(arguments.object)
        calls =
            calls.suffix(39) + [
                .init(
                    number: callCount, name: String(name.prefix(64)), state: .waiting,
                    text: fields.map { "\($0.name): \($0.value)" }.joined(separator: ", "))
            ]
        reporter.report(
            .request, from: .miniProgram, to: .superApp, "my.\(name.prefix(64))", correlation: correlation,
            fields: fields.map { .init($0.name, $0.value) })
        changed()
    }

    private func answered(_ name: String, _ answer: JSAPIAnswer) {
        if let index = calls.firstIndex(where: { $0.name == name && $0.state == .waiting }) {
            calls[index].state = answer.isSuccess ? .done : .failed
            calls[index].text = JSAPIWords.line(answer)
        }
        let fields = JSAPIWords.fields(answer.object)
        reporter.report(
            .response, from: .superApp, to: .miniProgram, "my.\(name.prefix(64))", correlation: correlation,
            fields: fields.map { .init($0.name, $0.value) },
            problem: answer.isSuccess ? nil : fields.first { $0.name == "errorMessage" }?.value ?? "failed")
        changed()
    }

    // MARK: Calls that the phone answers

    /// What the phone has no part for and a mini program does not miss.
    private static let cosmetic: Set<String> = [
        "vibrate", "vibrateShort", "vibrateLong", "hideKeyboard", "pageScrollTo", "startPullDownRefresh", "stopPullDownRefresh",
        "showNavigationBarLoading", "hideNavigationBarLoading", "hideBackHome", "setTabBarItem", "setTabBarStyle", "setTabBarBadge",
        "removeTabBarBadge", "showTabBarRedDot", "hideTabBarRedDot", "showTabBar", "hideTabBar", "setKeepScreenOn", "reportAnalytics",
        "setScreenBrightness",
    ]

    private func answer(_ call: JSAPICall) async -> JSAPIAnswer {
        let arguments = call.arguments
        func text(_ name: String) -> String? { arguments[name]?.string.flatMap { $0.isEmpty ? nil : String($0.prefix(1_000)) } }
        switch call.name {
        case "alert", "confirm", "prompt", "showActionSheet": return await dialog(call.name, arguments)
        case "showToast": show(toast: text("content") ?? "", type: text("type"), for: arguments["duration"]?.scalar)
        case "hideToast": dismissToast()
        case "showLoading":
            loading = text("content") ?? "Loading…"
            changed()
        case "hideLoading":
            loading = nil
            changed()
        case "setNavigationBar":
            if let top, let title = text("title") { titles[top] = title }
            if program.kind == .web, let title = text("title") { program.title = title }
            changed()
        case "getSystemInfo": return .success(PhoneHost.device)
        case "getNetworkType": return .success(JSONObject([.init("networkAvailable", true), .init("networkType", "WIFI")]))
        case "getServerTime": return .success(JSONObject([.init("time", .number(String(reporter.now() / 1_000)))]))
        case "setClipboard": clipboard = text("text") ?? ""
        case "getClipboard": return .success(JSONObject([.init("text", .string(clipboard))]))
        case "navigateToMiniProgram":
            guard let appID = text("appId"), PackageManifest.isAppID(appID) else {
                return .failure(JSAPIFailure(.invalidParameter, "navigateToMiniProgram: appId is none"))
            }
            let query = arguments["query"]?.members?.compactMap { member in member.value.scalar.map { (member.key, $0) } } ?? []
            onNavigate(
                appID,
                LaunchOptions(
                    page: text("path") ?? "", query: Dictionary(query, uniquingKeysWith: { $1 }), referrerAppID: opened.metadata.appID))
        case "navigateBackMiniProgram": onLeave()
        case let name where Self.cosmetic.contains(name): break
        default: return .failure(JSAPIFailure(.unknown, "\(call.name): this phone has no part for it"))
        }
        return .success([])
    }

    /// Shows a toast for its time: two seconds unless the script says otherwise, ten at most.
    private func show(toast text: String, type: String?, for duration: String?) {
        toastCount += 1
        toast = .init(number: toastCount, text: text, type: type ?? "none")
        changed()
        let milliseconds = min(max(Int(duration ?? "") ?? 2_000, 500), 10_000)
        Task { [weak self, toastCount] in
            try? await Task.sleep(for: .milliseconds(milliseconds))
            if self?.toast?.number == toastCount { self?.dismissToast() }
        }
    }

    private func dialog(_ name: String, _ arguments: JSONObject) async -> JSAPIAnswer {
        func text(_ name: String) -> String? { arguments[name]?.string.map { String($0.prefix(1_000)) } }
        let kinds: [String: SuperAppScreen.Sheet.Kind] = ["alert": .alert, "confirm": .confirm, "prompt": .prompt]
        var sheet = SuperAppScreen.Sheet(kinds[name] ?? .choices, title: text("title"))
        sheet.text = text("content") ?? text("message")
        sheet.confirm = text("buttonText") ?? text("confirmButtonText") ?? text("okButtonText") ?? "OK"
        if name != "alert" { sheet.cancel = text("cancelButtonText") ?? "Cancel" }
        sheet.placeholder = text("placeholder")
        if name == "showActionSheet" { sheet.items = (arguments["items"]?.array ?? []).prefix(30).map { $0.string ?? $0.text } }
        let answer = await person.asks(sheet)
        switch (name, answer) {
        case ("alert", _): return .success([])
        case ("confirm", .yes): return .success(JSONObject([.init("confirm", true), .init("ok", true)]))
        case ("confirm", _): return .success(JSONObject([.init("confirm", false), .init("ok", false)]))
        case ("prompt", .yes(let value)): return .success(JSONObject([.init("ok", true), .init("inputValue", .string(value))]))
        case ("prompt", _): return .success(JSONObject([.init("ok", false), .init("inputValue", "")]))
        case (_, .yes(let value)): return .success(JSONObject([.init("index", .number(String(Int(value) ?? -1)))]))
        default: return .success(JSONObject([.init("index", .number("-1"))]))
        }
    }
}
