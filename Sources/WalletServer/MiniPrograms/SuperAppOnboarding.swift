import BillfoldDiagnosis
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import HTTPTypes
import Hummingbird
import PaymentCrypto

/// `POST /onboarding/v1/super-app`: in test mode, with the onboarding key, whole installations register themselves. Doing it again replaces
/// the parties' own data.
struct SuperAppOnboarding: Sendable {
    let office: MiniProgramOffice
    let side: WalletConfiguration.SuperApp
    let key: Secret<String>
    let context: WalletContext

    private static let bodyLimit = 262_144

    func add<Context: CallerContext>(to router: some RouterMethods<Context>) {
        router.post("/onboarding/v1/super-app") { request, _ in
            try admit(request)
            try await register(await request.json(upTo: Self.bodyLimit))
            return try JSONAnswer.make(
                Registered(
                    origin: side.origin, name: side.name, keyVersion: side.keyVersion, publicKey: side.key.publicKey.pem),
                headers: [.cacheControl: "no-store"])
        }
    }

    /// What a party needs to know of the super app's server.
    private struct Registered: Encodable {
        var origin: String
        var name: String
        /// Of the key that answers are signed with, PEM.
        var keyVersion: Int
        var publicKey: String
    }

    private func admit(_ request: Request) throws(WalletError) {
        guard let bearer = request.bearer,
            context.hash(bearer, "onboarding").matches(context.hash(key.reveal(), "onboarding"))
        else { throw WalletError(code: .unauthorized, reason: "the request carries no onboarding key") }
    }

    private func register(_ body: [UInt8]) async throws {
        let reader = try SuperAppWish.Reader(body, allowing: ["workspaces", "authors", "clients"])
        let workspaces = try reader.objects("workspaces", maximum: 16, allowing: SuperAppWish.workspaceMembers)
        let authors = try reader.objects("authors", maximum: 16, allowing: SuperAppWish.authorMembers)
        let clients = try reader.objects("clients", maximum: 64, allowing: SuperAppWish.clientMembers)
        for workspace in try workspaces.map({ try SuperAppWish.workspace($0) }) { try await office.register(workspace, by: "onboarding") }
        for author in try authors.map({ try SuperAppWish.author($0) }) { try await office.register(author, by: "onboarding") }
        for client in try clients.map({ try SuperAppWish.client($0) }) { try await office.register(client, by: "onboarding") }
    }
}
