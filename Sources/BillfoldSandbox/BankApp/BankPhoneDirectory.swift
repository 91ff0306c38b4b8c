/// The phones with the bank's app that are in use. When there are too many, the one that was taken up longest ago is put away.
@MainActor
package final class BankPhoneDirectory {
    private let surroundings: BankSurroundings
    private let limit: Int
    private var sessions: [String: BankPhoneSession] = [:]
    private var order: [String] = []

    package init(surroundings: BankSurroundings, limit: Int = 200) {
        self.surroundings = surroundings
        self.limit = max(1, limit)
    }

    /// Hands out a phone with the bank's app open, and nobody logged in.
    ///
    /// - Parameters:
    ///   - model: Which phone.
    ///   - owner: Whose it is; `nil` for the one that everybody shares, until a customer of the bank's own logs in.
    package func open(_ model: BankPhoneModel, of owner: String? = nil) -> BankPhoneSession {
        let session = BankPhoneSession(id: surroundings.reporter.makeName(), model: model, owner: owner, surroundings: surroundings)
        sessions[session.id] = session
        order.append(session.id)
        while order.count > limit { sessions.removeValue(forKey: order.removeFirst())?.close() }
        return session
    }

    package func session(_ id: String) throws(SandboxRefusal) -> BankPhoneSession {
        guard let session = sessions[id] else {
            throw SandboxRefusal(code: "session-unknown", reason: "no phone session has that id", status: 404)
        }
        return session
    }
}
