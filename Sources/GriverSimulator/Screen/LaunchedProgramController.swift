public import AppContainer
public import Foundation
public import MiniPrograms
public import UIKitSimulator

/// The screen of a mini program that was launched: what the documented calls hand back, for the app to push or to present.
///
/// The mini program is fetched at once and starts when it is here. It is told when the screen is left and when somebody comes back, and
/// ends with its controller. What its pages show is the host's (``GriverContainer/host``): nothing is drawn here.
public final class LaunchedProgramController: UIViewController {
    /// How far a launch has come.
    public enum State: Sendable {
        /// The mini program is being fetched.
        case loading
        case running
        /// It was running, and ended: why, or nil where the app ended it.
        case ended(AppContainerError?)
        /// It did not start. A screen may say so; no outcome of a payment follows from it.
        case failed(any Error)
    }

    public let link: MiniProgramLink
    public let startup: ProgramStartup
    public private(set) var state = State.loading
    /// The run; nil before it starts.
    public private(set) var program: MiniProgram?
    /// Called after each change of ``state``.
    public var onChange: @MainActor () -> Void = {}
    /// What the menu shows since it was opened; empty before.
    public internal(set) var shownMenu: [GRVMPMoreMenuItem] = []
    let extensions: GRVExtensionDelegate?
    private let container: GriverContainer
    private let list: InterfaceList
    private let isFromLink: Bool
    private var wasLeft = false
    private var session: ProgramSession?

    init(
        _ link: MiniProgramLink, _ startup: ProgramStartup, isFromLink: Bool, container: GriverContainer, list: InterfaceList,
        extensions: GRVExtensionDelegate?
    ) {
        self.link = link
        self.startup = startup
        self.isFromLink = isFromLink
        self.container = container
        self.list = list
        self.extensions = extensions
        super.init(nibName: nil, bundle: nil)
        let source = container.source
        // Whoever leaves while it loads lets the controller go: nothing starts then.
        Task { [weak self] in
            do {
                let opened = try await source.program(for: link)
                self?.start(opened)
            } catch {
                self?.change(to: .failed(error))
            }
        }
    }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    deinit { session?.end() }

    public override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        if wasLeft { program?.show() }
        wasLeft = false
    }

    public override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        wasLeft = true
        program?.hide()
    }

    private func start(_ opened: OpenedMiniProgram) {
        let metadata = opened.metadata
        guard metadata.appID.utf8.elementsEqual(link.appID.utf8) else {
            return change(to: .failed(GriverErrorCode.unknown.error("another mini program came than was asked for")))
        }
        title = metadata.name
        let place = ControllerPlace(self)
        let host = InterfaceHost(list: list, place: place, host: container.host(opened, self)) { error in
            Task { @MainActor in (place.controller as? LaunchedProgramController)?.change(to: .ended(error)) }
        }
        let program = MiniProgram(
            MiniProgramSetup(
                code: opened.code,
                identity: MiniProgramIdentity(
                    appID: metadata.appID, name: metadata.name, logo: metadata.logo, version: metadata.version.description,
                    authClientID: metadata.authClientID, isFromAlipayConnect: metadata.workspace == .connect, userID: container.userID),
                grant: MiniProgramGrant(
                    features: Set(metadata.features), requestDomains: DomainList(metadata.serverDomains),
                    webPageDomains: DomainList(metadata.webPageDomains), customInterfaces: metadata.customInterfaces),
                host: host, store: container.store, clock: container.clock, seed: container.seed()))
        self.program = program
        program.launch(options)
        if wasLeft { program.hide() }
        change(to: .running)
        let session = ProgramSession(appId: metadata.appID, listener: extensions?.appEventDelegate)
        self.session = session
        session.start()
    }

    /// The page with what its `onLoad` gets, and the pairs for `App.onLaunch`: the launch's own, over those of the link.
    private var options: LaunchOptions {
        let pageQuery = link.pageQuery.isEmpty ? "" : "?" + MiniProgramLink.text(of: link.pageQuery)
        let query = Dictionary(link.query.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }).merging(startup.query) { $1 }
        return LaunchOptions(page: (link.page ?? "") + pageQuery, query: query, isFromLink: isFromLink)
    }

    private func change(to new: State) {
        // A run that ended stays ended.
        if case .ended = state { return }
        state = new
        onChange()
        if case .ended = new { session?.end() }
    }
}
