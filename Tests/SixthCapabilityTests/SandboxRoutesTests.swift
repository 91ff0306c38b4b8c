import BillfoldServer
import Foundation
import Hummingbird
import Testing

@testable import billfold

/// What the sandbox's parties serve, beside what `docs/openapi` says of it.
@Suite struct SandboxRoutesTests {
    /// Below these, and there, nothing is described: pages of shops and wallets, messages of outside protocols, which `docs/protocols` has,
    /// and what played parties say to each other.
    static let undescribedTrees: Set<String> = [
        "/acquirer", "/alipay-merchant", "/alipay-shop", "/aps/api/v1", "/assets", "/broker/control/accounts",
        "/broker/control/applications",
        "/broker/control/devices", "/broker/control/faults", "/card-network", "/plus-shop", "/processor", "/unionpay/file",
        "/unionpay/gateway", "/wallets",
    ]
    /// Paths beside described ones: pages, and what a browser's phone draws and sends by itself. The list only gets shorter.
    static let undescribedPaths: Set<String> = [
        "/", "/super-app", "/super-app/open", "/super-app/phones/{}/deliveries", "/super-app/phones/{}/frames", "/super-app/phones/{}/open",
        "/super-app/phones/{}/pictures",
    ]

    /// Such as `GET /clock`, each parameter as `{}`.
    private static func served() async throws -> Set<String> {
        let folder = FileManager.default.temporaryDirectory.appending(path: "billfold-routes-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let options = try ServeCommand.options(from: ["--data", folder, "--log-level", "critical"])
        let shared = try await ServeComposition(options: options, isWholeProcess: false).makeShared(1_024)
        let router = Router(context: ServerRequestContext.self)
        let made = await Result {
            shared.add(try await shared.begin(at: .sandbox, in: shared.process), and: nil, to: router)
        }
        await shared.process.stores.close()
        await shared.shutDown()
        try made.get()
        return Set(router.routes.filter { $0.method != .head }.map { "\($0.method.rawValue) \(shape(of: $0.path.description))" })
    }

    private static func shape(of path: String) -> String { path.replacing(/\{[^}]*\}/, with: "{}") }

    /// The operations of all files: a path is a key of two blanks, its methods are keys of four.
    private static func described() throws -> Set<String> {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/openapi").standardized
        var found: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            var path: String?
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                if let match = line.wholeMatch(of: /[ ]{2}"?(\/[^ "]*)"?:.*/) {
                    path = String(match.1)
                } else if let path, let match = line.wholeMatch(of: /[ ]{4}(get|put|post|delete|patch):.*/) {
                    found.insert("\(match.1.uppercased()) \(shape(of: path))")
                } else if line.first != " " {
                    path = nil
                }
            }
        }
        return found
    }

    @Test func everyRouteOfTheSandboxIsInAnOpenAPIFile() async throws {
        let (served, described) = (try await Self.served(), try Self.described())
        #expect(served.contains("GET /broker/control/root") && described.contains("GET /broker/control/root"))
        let missing = Set(served.subtracting(described).compactMap { $0.split(separator: " ").last.map(String.init) })
        func isBelow(_ tree: String, _ path: String) -> Bool { path == tree || path.hasPrefix("\(tree)/") }
        let strange = missing.filter { path in
            !Self.undescribedPaths.contains(path) && !Self.undescribedTrees.contains { isBelow($0, path) }
        }
        #expect(strange.isEmpty, "\(strange.sorted()): docs/openapi/sandbox.yaml has what the sandbox serves")
        // What is described by now is listed no more.
        let idle =
            Self.undescribedPaths.subtracting(missing)
            .union(Self.undescribedTrees.filter { tree in !missing.contains { isBelow(tree, $0) } })
        #expect(idle.isEmpty, "\(idle.sorted())")
    }
}
