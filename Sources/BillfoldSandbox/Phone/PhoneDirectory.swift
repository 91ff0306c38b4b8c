/// The phones that are in use. When there are too many, the one that was taken up longest ago is put away.
@MainActor
package final class PhoneDirectory {
    private let surroundings: PhoneSurroundings
    private let limit: Int
    private var sessions: [String: PhoneSession] = [:]
    private var order: [String] = []

    package init(surroundings: PhoneSurroundings, limit: Int = 500) {
        self.surroundings = surroundings
        self.limit = max(1, limit)
    }

    /// Hands out a phone with the shop's app open on this cart.
    package func open(_ model: PhoneModel, lines: [CartLine]) -> PhoneSession {
        let session = PhoneSession(id: surroundings.reporter.makeName(), model: model, lines: lines, surroundings: surroundings)
        sessions[session.id] = session
        order.append(session.id)
        while order.count > limit { sessions.removeValue(forKey: order.removeFirst())?.close() }
        return session
    }

    package func session(_ id: String) throws(SandboxRefusal) -> PhoneSession {
        guard let session = sessions[id] else {
            throw SandboxRefusal(code: "session-unknown", reason: "no phone session has that id", status: 404)
        }
        return session
    }
}
