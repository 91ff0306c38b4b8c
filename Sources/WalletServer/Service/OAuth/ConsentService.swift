import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import MiniPrograms

/// What the consent page shows, and what comes of it (mini-programs.md#steps, 10 to 14).
///
/// A page is addressed by the mini program and the scopes alone, as the container asks for them. Whoever makes such an address can make a
/// person look at the page and no more: what is agreed to is stored for the person who agrees, and no code passes here.
struct ConsentService: Sendable {
    let authorizations: SuperAppAuthorizationService

    private var context: WalletContext { authorizations.context }

    struct Question: Sendable {
        var app: HostedMiniProgram
        /// What the person has not agreed to yet, in the order of their names. Scopes that are silent, forbidden or unknown are never shown.
        var scopes: [String]
        /// Of the newest agreement that holds, nil where there is none.
        var agreement: TimeOrderedID?

        /// What a form sends back, so that nobody agrees to more than the page said.
        var shown: String { scopes.joined(separator: " ") }
    }

    /// Refuses with `not-found` a mini program that is not open here.
    func question(app appID: String, scopes: Set<String>, for account: WalletAccount) async throws -> Question {
        try await context.database.lookup { [self] tx in
            guard let app = try MiniProgramRecords.find(appID, in: tx), app.isOpen else { throw Self.noProgram }
            let live = try AgreementRecords.live(account.id, app: appID, in: tx)
            let standing = authorizations.side.policy(of: app).standing(
                of: scopes, appID: appID, agreed: live.reduce(into: []) { $0.formUnion($1.scopes) })
            return Question(
                app: app, scopes: standing.ask.subtracting([SuperAppAuthorizationService.contractScope]).sorted(), agreement: live.last?.id)
        }
    }

    /// Stores that the person agreed to what a page showed, and returns the agreement's id. Doing it again changes nothing.
    ///
    /// Refuses with `terms-changed` where the page would show something else by now.
    func agree(to question: Question, shown: String?, by account: WalletAccount) async throws -> TimeOrderedID? {
        guard shown == question.shown else {
            // A form that was sent twice finds nothing left to ask.
            if question.scopes.isEmpty { return question.agreement }
            throw WalletError(code: .termsChanged, reason: "the page showed other scopes")
        }
        guard !question.scopes.isEmpty else { return question.agreement }
        guard let client = question.app.profile.authClientID else { throw Self.noProgram }
        do {
            return try await authorizations.agree(
                to: Set(question.scopes), appID: question.app.appID, clientID: client, by: account)
        } catch let refusal as OpenAPIRefusal {
            throw WalletError(refusing: refusal)
        }
    }

    private static let noProgram = WalletError(code: .notFound, reason: "there is no such mini program, or it has no client")
}

extension WalletError {
    /// A refusal in the protocol's words, for a page.
    init(refusing refusal: OpenAPIRefusal) {
        let isTooOften = refusal.result == .trafficExceedsLimit
        self.init(code: isTooOften ? .rateLimited : .agreementRefused, reason: refusal.result.resultMessage)
    }
}
