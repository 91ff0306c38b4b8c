public import Foundation

/// A customer in software on UnionPay's page, such as the sandbox's: loads it, does one thing, and opens the app by where that leads.
///
/// The result comes as from a browser, by a URL that `opener` gets. Where the page is not there, or leads to no app, none comes.
public struct ScriptedPageLauncher: PaymentLauncher {
    /// What the customer does.
    public enum Act: String, Sendable, Hashable, CaseIterable {
        case pay
        /// Tries a card that is refused.
        case decline
        case leave = "cancel"
    }

    private let act: Act
    private let connection: PluginConnection
    private let opener: @Sendable (URL) -> Void

    /// - Parameters:
    ///   - act: What is done on each page.
    ///   - connection: Carries requests to the address of the pages.
    ///   - opener: Opens the app, on whatever thread.
    public init(act: Act = .pay, connection: @escaping PluginConnection, opener: @escaping @Sendable (URL) -> Void) {
        self.act = act
        self.connection = connection
        self.opener = opener
    }

    public func isPaymentAppInstalled() -> Bool { false }

    public func launch(_ order: PluginOrder, end: @escaping @Sendable (PluginEnd) -> Void) -> Bool {
        guard order.way == .control else { return false }
        Task {
            guard let text = try await visit(order), let url = URL(string: text), url.scheme == order.scheme else { return }
            opener(url)
        }
        return true
    }

    private func visit(_ order: PluginOrder) async throws -> String? {
        let shown = try await connection(
            PluginQuestion(path: "/\(order.segment)?scheme=\(order.scheme)&mode=\(order.mode.rawValue)"))
        guard shown.status == 200 else { return nil }
        let form = Data("scheme=\(order.scheme.replacing("+", with: "%2B"))".utf8)
        let answer = try await connection(
            PluginQuestion(
                method: "POST", path: "/\(order.segment)/\(act.rawValue)", contentType: "application/x-www-form-urlencoded", body: form))
        return answer.status == 303 ? answer.location : nil
    }
}
