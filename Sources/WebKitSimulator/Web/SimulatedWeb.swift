import BillfoldConcurrency
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The web as the web views of a phone find it: who answers a request, and who runs a script. Nothing here opens a connection
/// or has an engine.
///
/// A web view keeps the one that was ``current`` when it was made. Many phones of one process have one each: bind it with
/// `SimulatedWeb.$current.withValue(web) { … }`.
public final class SimulatedWeb: Sendable {
    /// The one of the current task, or else that of the process, which answers nothing until somebody says otherwise.
    @TaskLocal public static var current = SimulatedWeb()

    /// Answers a request; what it throws ends the navigation.
    public typealias Answer = @Sendable (URLRequest) async throws -> SimulatedPage
    /// Runs a script in the page at an address; what it throws is the script's exception.
    public typealias Script = @MainActor @Sendable (_ source: String, _ page: URL?) throws -> Any?

    private let answering = Locked<Answer>({ _ in throw NSError(domain: NSURLErrorDomain, code: NSURLErrorNotConnectedToInternet) })
    private let running = Locked<Script?>(nil)

    /// Makes a web that answers nothing: the phone has no network.
    public init() {}

    /// Makes a web that answers.
    public convenience init(answer: @escaping Answer) {
        self.init()
        self.answer = answer
    }

    /// Who answers.
    public var answer: Answer {
        get { answering.withLock { $0 } }
        set { answering.withLock { $0 = newValue } }
    }

    /// Who runs scripts; nil: only what a page's address and title tell is known, and every other script fails.
    public var script: Script? {
        get { running.withLock { $0 } }
        set { running.withLock { $0 = newValue } }
    }
}

/// What a request is answered with.
public struct SimulatedPage: Sendable {
    /// HTML. Its `title` is read and nothing else: no image is fetched and no script runs.
    public var html: String
    /// HTTP's status.
    public var status: Int
    public var mimeType: String
    /// Where the server sends the web view instead.
    public var redirect: URL?

    public init(_ html: String, status: Int = 200, mimeType: String = "text/html") {
        (self.html, self.status, self.mimeType) = (html, status, mimeType)
    }

    /// Sends the web view to another address, as a checkout page sends it to a wallet's scheme.
    public static func redirect(to address: URL) -> Self {
        var page = Self("", status: 302)
        page.redirect = address
        return page
    }

    /// What stands between the tags of the title; empty without one.
    package var title: String {
        guard let start = html.range(of: "<title>", options: .caseInsensitive),
            let end = html.range(of: "</title>", options: .caseInsensitive, range: start.upperBound..<html.endIndex)
        else { return "" }
        return html[start.upperBound..<end.lowerBound].trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
