import BillfoldDiagnosis
import BillfoldServer
import BillfoldStorage
import Foundation

/// Two persons of the bank, who sign in at its console: one asks, the other agrees.
struct TourOperators: Sendable {
    struct Person: Sendable {
        var name: String
        var password: Secret<String>
    }

    /// May look, ask and agree, as far as roles go.
    let first: Person
    /// May agree.
    let second: Person

    /// Adds both to the store that the console is going to open, as `operators add` does. The store must not be in use.
    static func install(in folder: DataFolder, _ surroundings: ServerSurroundings) async throws -> TourOperators {
        func person(_ name: String) -> Person {
            Person(name: name, password: Secret("\(SystemRandomness.name())\(SystemRandomness.name())"))
        }
        let operators = TourOperators(first: person("lin"), second: person("wang"))
        let store = try await StoreOpening.open(
            folder.path(ServingProcess.mainStoreFile), mode: .test, kind: Capabilities.mainStore, clock: surroundings.clock,
            logger: surroundings.logger)
        let added = await Result {
            let directory = try OperatorDirectory(
                database: store, clock: surroundings.clock, uptime: surroundings.uptime, random: SystemRandomness.source,
                audit: folder.operatorAudit())
            try await directory.add(
                operators.first.name, password: operators.first.password, roles: [.viewer, .operator, .approver], by: "tour")
            try await directory.add(operators.second.name, password: operators.second.password, roles: [.approver], by: "tour")
        }
        try await store.close()
        try added.get()
        return operators
    }

    /// Signs a person in at the console of that origin.
    static func signIn(_ person: Person, at console: String) async throws -> TourClient.Session {
        struct SignIn: Encodable {
            var name: String
            var password: String
        }
        struct Session: Decodable { var csrfToken: String }
        let answer = try await TourClient.post("\(console)/api/session", SignIn(name: person.name, password: person.password.reveal()))
        let token = try answer.read(Session.self).csrfToken
        guard let cookie = answer.cookie else {
            throw CommandFailure(.refused, code: "unexpected-answer", reason: "the console gave no session")
        }
        return TourClient.Session(cookie: cookie, csrfToken: token)
    }
}
