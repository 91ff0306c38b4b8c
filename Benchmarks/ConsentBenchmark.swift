import Foundation
import NIOCore
import PaymentCrypto

/// From a user's consent to the code that a mini program's server exchanges, over HTTP: the agreement is stored, then the code is issued.
///
/// Both requests find the user's session, the mini program and its client, and each makes one durable write before it is answered.
struct ConsentBenchmark {
    static let floor = 0.6

    var folder: URL
    var blocks = 9
    var users = 1_000
    var connections = SuperAppProcess.group

    /// Seconds that one operation took, in one block.
    private struct Block {
        var consent: Double
        /// All that cannot be avoided, done by the bare route.
        var together: Double
        var agreementWrite: Double
        var codeWrite: Double
        var emptyRoute: Double

        /// The parts timed alone.
        var apart: Double { agreementWrite + codeWrite + 2 * emptyRoute }
    }

    /// Measures throughput against the bound. Returns whether the floor holds.
    func run() async throws -> Bool {
        let processors = PaymentBenchmark.processors
        let loops = try await EventLoops(processors: processors.others)
        let server = try await SuperAppServer(
            folder: folder.appending(path: "consent"), setup: setup(), connections: connections, processors: processors.server, loops: loops
        )
        let (perWrite, perRoute) = (4_000, 5_000)
        var measured: [Block] = []
        for number in 0...blocks {
            let block = Block(
                consent: try await server.consent() / Double(users),
                together: try await server.askBareRoute(2 * users) / Double(users),
                agreementWrite: try server.command("write-agreement", perWrite) / Double(perWrite),
                codeWrite: try server.command("write-code", perWrite) / Double(perWrite),
                emptyRoute: try await server.askEmptyRoute(perRoute) / Double(perRoute))
            // The first warms up.
            if number > 0 { measured.append(block) }
        }
        try await server.stop()
        try await loops.close()
        return report(measured)
    }

    /// Consents by this program and by other builds of it, by turns.
    func compare(with programs: [String]) async throws {
        let processors = PaymentBenchmark.processors
        let loops = try await EventLoops(processors: processors.others)
        let turns = Turns<SuperAppServer>(
            unit: "consents", rounds: 60,
            start: { program, folder in
                try await SuperAppServer(
                    folder: folder, setup: setup(), connections: connections, program: program, processors: processors.server, loops: loops)
            }, work: { try await $0.consent() / Double(users) }, stop: { try await $0.stop() })
        try await turns.run(in: folder, with: programs)
        try await loops.close()
    }

    private func setup() throws -> ConsentSetup { ConsentSetup(key: Data(try RSAPrivateKey(bits: 2048).pkcs8), users: users) }

    private func report(_ blocks: [Block]) -> Bool {
        func rate(_ part: KeyPath<Block, Double>) -> Int { Int(1 / median(blocks.map { $0[keyPath: part] })) }
        let ratios = PathRatios(blocks.map { ($0.consent, $0.together, $0.apart) }, floor: Self.floor)
        print(
            """
            consent to authorization code over HTTP, SQLite, one processor for the server: \(rate(\.consent)) per second, \
            \(connections) at once
                \(ratios.text)
                timed alone: the same statements through the SQLite C API, \(SuperAppProcess.group) to a synced commit, of the agreement \
            (\(rate(\.agreementWrite)) per second) and of the code (\(rate(\.codeWrite))) + 2 empty routes (\(rate(\.emptyRoute))), all by the \
            same process
            """)
        return ratios.holds
    }
}

/// The super app's process as its users see it.
private final class SuperAppServer {
    private let setup: ConsentSetup
    private let process: MeasuredProcess
    private let client: LoadClient
    private let sessions: [String]
    private var samples: [EmptyRoute.Sample] = []

    init(
        folder: URL, setup: ConsentSetup, connections: Int, program: String = MeasuredProcess.thisProgram, processors: [Int],
        loops: EventLoops
    ) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try JSONEncoder().encode(setup).write(to: folder.appending(path: "setup.json"))
        self.setup = setup
        process = try MeasuredProcess(["super-app", folder.path], program: program, processors: processors)
        client = try await LoadClient.connect(to: process.port, connections: connections, on: loops.client)
        let registered = try await client.closedLoop([setup.registration(port: process.port, at: Date())]).answers[0]
        guard String(buffer: registered.body).contains("SUCCESS") else {
            throw MeasuredProcess.Failure(reason: "the mini program was not taken: \(String(buffer: registered.body))")
        }
        sessions = try await Self.signIn(setup, client, port: process.port)
    }

    /// Every user through the wallet's own form.
    private static func signIn(_ setup: ConsentSetup, _ client: LoadClient, port: Int) async throws -> [String] {
        func part(_ text: String, after start: String) throws -> String {
            guard let found = text.range(of: start) else { throw MeasuredProcess.Failure(reason: "nobody could sign in: \(text)") }
            return String(text[found.upperBound...].prefix { $0.isHexDigit })
        }
        let page = HTTPBytes.request("GET", "/wallet/login", port: port, headers: [("Accept", "text/html")])
        let forms = try await client.closedLoop(Array(repeating: page, count: setup.users)).answers
        let logins = try forms.enumerated().map { user, form in
            let fields = "name=\(setup.email(user))&password=\(ConsentSetup.loginPassword)".replacing("@", with: "%40")
            return HTTPBytes.request(
                "POST", "/wallet/login", port: port,
                headers: [
                    ("Cookie", "__Host-wallet=\(try part(form.head, after: "__Host-wallet="))"),
                    ("Content-Type", "application/x-www-form-urlencoded"),
                ], body: Array("\(fields)&csrf=\(try part(String(buffer: form.body), after: #"name="csrf" value=""#))".utf8))
        }
        return try await client.closedLoop(logins).answers.map { try part($0.head, after: "__Host-wallet=") }
    }

    /// Has every user agree and then get a code, as fast as answers come. Returns the seconds it took.
    func consent() async throws -> Double {
        var elapsed = 0.0
        samples = []
        for call in [ConsentSetup.Call.agree, .code] {
            let requests = sessions.map { setup.request(call, session: $0, port: process.port) }
            let (answers, seconds) = try await client.closedLoop(requests)
            let member = call == .agree ? "\"referenceAgreementId\"" : "\"authCode\""
            if let bad = answers.first(where: { $0.status != 200 || !String(buffer: $0.body).contains(member) }) {
                throw MeasuredProcess.Failure(reason: "\(call.rawValue) was answered with \(bad.status) \(String(buffer: bad.body))")
            }
            samples.append(EmptyRoute.Sample(requests[0], answeredBy: answers[0].body))
            elapsed += seconds
        }
        // So that the next block's users agree anew.
        _ = try await client.closedLoop(sessions.map { setup.request(.withdraw, session: $0, port: process.port) })
        return elapsed
    }

    func command(_ name: String, _ count: Int) throws -> Double { try process.command(name, count) }

    func askEmptyRoute(_ count: Int) async throws -> Double { try await process.askEmptyRoute(count, like: samples, by: client) }

    func askBareRoute(_ count: Int) async throws -> Double { try await process.askBareRoute(count, like: samples, by: client) }

    func stop() async throws {
        try await client.close()
        try process.stop()
    }
}
