import BillfoldConcurrency
public import Foundation
import MiniPrograms
public import UIKitSimulator

/// Launches mini programs by its documented names (mini-programs.md#opening-a-program [D 3]), in the container of `AppContainer`.
///
/// Hand in ``container`` once, when the app starts. A launch gives the screen at once. What is wrong with its parameters is thrown; what
/// goes wrong later is that screen's ``LaunchedProgramController/state``. May be called from any thread: the work is done on the main one.
public final class GRVAppContainerLaunch: NSObject, Sendable {
    /// The one of the current task, where one process holds many phones; bind it with `GRVAppContainerLaunch.$current.withValue(…) { … }`.
    @TaskLocal public static var current: GRVAppContainerLaunch?
    private static let shared = GRVAppContainerLaunch()

    private let handedIn = Locked<GriverContainer?>(nil)
    private let handedInExtensions = Locked<HandedOver<GRVExtensionDelegate>?>(nil)

    public override init() { super.init() }

    /// What mini programs run in. Nil: every call is refused as not initialised.
    public var container: GriverContainer? {
        get { handedIn.withLock { $0 } }
        set { handedIn.withLock { $0 = newValue } }
    }

    /// What the app puts into the container, from its initialisation on.
    var extensions: GRVExtensionDelegate? {
        get { handedInExtensions.withLock { $0 }?.value }
        set {
            let given = newValue.map { HandedOver($0) }
            handedInExtensions.withLock { $0 = given }
        }
    }

    /// The one launcher of the app.
    public static func sharedInstance() -> GRVAppContainerLaunch { current ?? shared }

    // MARK: Opening

    /// Opens a mini program by its id. Throws 90002, 90003 and 10000 in ``GriverErrorCode/domain``.
    ///
    /// - Parameters:
    ///   - appId: The platform's id.
    ///   - startupParams: How it is shown; nil for all defaults.
    /// - Returns: Its screen, to be pushed or presented; never nil here.
    public func openApp(withAppId appId: String, startupParams: GRVStartupParams?) throws -> UIViewController? {
        try open(appID: appId, ProgramStartup(startupParams))
    }

    /// Opens a mini program by an http or https address with `_ariver_appid`, and where they are there `_ariver_path` and
    /// `_ariver_version`; what else the query has is the page's. The address is not visited. Throws as the other does.
    ///
    /// - Parameters:
    ///   - urlStr: The address.
    ///   - startupParams: How it is shown; nil for all defaults.
    /// - Returns: Its screen. What moves money in it needs a tap first, because a link opened it.
    public func openApp(withUrl urlStr: String, startupParams: GRVStartupParams?) throws -> UIViewController? {
        try open(address: urlStr, ProgramStartup(startupParams))
    }

    /// The older form, spelt as its documents spell it.
    ///
    /// - Parameters:
    ///   - appId: The platform's id.
    ///   - extraParams: The members of ``GRVStartupParams`` by their names; a value of another type is 90002.
    ///   - error: Nothing: an artefact of how Swift reads the header.
    public func openApp(withApppId appId: String, extraParams: [String: Any]?, error: ()) throws -> UIViewController? {
        try open(appID: appId, ProgramStartup(extraParams))
    }

    /// The older form for an address.
    ///
    /// - Parameters:
    ///   - urlStr: The address.
    ///   - extraParams: As in the form with an id.
    ///   - error: Nothing: an artefact of how Swift reads the header.
    public func openApp(withUrl urlStr: String, extraParams: [String: Any]?, error: ()) throws -> UIViewController? {
        try open(address: urlStr, ProgramStartup(extraParams))
    }

    /// The form in which the documents open a decoded promotion code: nil, and no reason, where the others throw.
    ///
    /// - Parameters:
    ///   - urlStr: The address.
    ///   - extraParams: As in the form with an id.
    @discardableResult
    public func openApp(withUrl urlStr: String, extraParams: [String: Any]?) -> UIViewController? {
        try? openApp(withUrl: urlStr, extraParams: extraParams, error: ())
    }

    private func open(appID: String, _ startup: ProgramStartup) throws -> UIViewController? {
        guard let link = try? MiniProgramLink(appID: appID) else { throw GriverErrorCode.badParameter.error("appId is no id") }
        return try open(link, startup, isFromLink: false)
    }

    private func open(address: String, _ startup: ProgramStartup) throws -> UIViewController? {
        let link: MiniProgramLink
        do throws(MiniProgramError) {
            link = try MiniProgramLink(ariver: address)
        } catch {
            throw GriverErrorCode.badParameter.error("url opens no mini program: \(error.reason)")
        }
        return try open(link, startup, isFromLink: true)
    }

    private func open(_ link: MiniProgramLink, _ startup: ProgramStartup, isFromLink: Bool) throws -> UIViewController? {
        let container = try initialised()
        let list: InterfaceList
        do throws(InterfaceList.Unusable) {
            list = try container.configuration?.plistFilePathForExtraPlugins.map(InterfaceList.init(path:)) ?? InterfaceList()
        } catch {
            throw GriverErrorCode.unknown.error(error.reason)
        }
        let extensions = HandedOver(extensions)
        return MainThread.run {
            LaunchedProgramController(
                link, startup, isFromLink: isFromLink, container: container, list: list, extensions: extensions.value)
        }
    }

    private func initialised() throws -> GriverContainer {
        guard let container else { throw GriverErrorCode.notInitialised.error("no container was handed in") }
        return container
    }

    // MARK: Lists

    /// Asks which mini programs are released to the app. The block is called once, on the main thread, with a response or an error: 2 for a
    /// parameter that is none, 3 before a container is there, 10104 where the platform gives no list.
    ///
    /// - Parameters:
    ///   - parameters: Which part, and in what order.
    ///   - completionCallback: Takes it.
    public func fetchApps(
        _ parameters: GRVFetchAppsParameter, completionCallback: @escaping (GRVFetchAppsResponse?, (any Error)?) -> Void
    ) {
        let query = CatalogueQuery(parameters)
        list(HandedOver(completionCallback)) { listing in
            guard let query else { throw GriverErrorCode.badQuery.error("sortDescriptor or queryStartIndex is none") }
            let part = query.part(of: try await listing())
            return GRVFetchAppsResponse(total: part.total, part.programs)
        }
    }

    /// Asks for mini programs by their ids; those that are not released are left out. Called back as ``fetchApps(_:completionCallback:)``.
    ///
    /// - Parameters:
    ///   - appIds: From one to fifty. [I]
    ///   - category: A category's id that they must have; nil for any.
    ///   - completionCallback: Takes them, in the order of `appIds`.
    public func fetchAppInfos(byIds appIds: [String], category: String?, completionCallback: @escaping GRVFetchAppInfosCompletionHandler) {
        list(HandedOver(completionCallback)) { listing in
            guard (1...CatalogueQuery.most).contains(appIds.count) else {
                throw GriverErrorCode.badQuery.error("appIds has none, or more than \(CatalogueQuery.most)")
            }
            let all = Dictionary(try await listing().map { (Array($0.appID.utf8), $0) }, uniquingKeysWith: { first, _ in first })
            return GRVFetchAppInfosResult(appIds.compactMap { all[Array($0.utf8)] }.filter { $0.isIn(category) })
        }
    }

    private func list<Answer: Sendable>(
        _ callback: HandedOver<(Answer?, (any Error)?) -> Void>,
        _ answer: @escaping @Sendable (_ listing: @Sendable () async throws -> [ListedProgram]) async throws -> Answer
    ) {
        let container = container
        Task { @MainActor in
            do {
                callback.value(
                    try await answer {
                        guard let container else { throw GriverErrorCode.listFailed.error("no container was handed in") }
                        do {
                            return try await container.source.listing()
                        } catch {
                            throw GriverErrorCode.network.error("the platform gave no list")
                        }
                    }, nil)
            } catch {
                callback.value(nil, error)
            }
        }
    }
}
