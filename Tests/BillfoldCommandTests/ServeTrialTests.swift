import BillfoldServer
import Foundation
import Testing

@testable import billfold

/// What is found before a process writes anything, opens a store or asks another party.
@Suite struct ServeTrialTests {
    private func listener(_ name: String, _ address: ListenAddress) -> ListenerConfiguration { .init(name: name, address: address) }

    private func refusal(of listeners: [ListenerConfiguration]) async -> ServerError? {
        await #expect(throws: ServerError.self) { try await ListenerConfiguration.tryOut(listeners) }
    }

    @Test func listenersAreTriedBesideEachOtherAndNoneIsKept() async throws {
        let port = try #require(try FreePorts.find(1).first)
        let free = ListenAddress(port: port)
        for _ in 0..<2 { try await ListenerConfiguration.tryOut([listener("one", free), listener("two", ListenAddress(port: 0))]) }
        for other in [free, ListenAddress(host: "0.0.0.0", port: port)] {
            let error = await refusal(of: [listener("one", free), listener("two", other)])
            #expect(error?.code.description == "port-taken")
            #expect(error?.reason == "two: \(other) is already in use")
        }
        // Of a network that documents alone name (RFC 5737).
        let elsewhere = await refusal(of: [listener("one", free), listener("two", ListenAddress(host: "192.0.2.1", port: port))])
        #expect(elsewhere?.code.description == "address-unusable")
        var secured = listener("one", free)
        secured.tls = TLSIdentity(certificateChainPath: "/nowhere/chain.pem", privateKeyPath: "/nowhere/key.pem")
        #expect(await refusal(of: [secured])?.code.description == "certificate-unusable")
        try await ListenerConfiguration.tryOut([listener("one", free)])
    }

    /// The folder that a process is given, and a file beside it for its configuration.
    private struct Place {
        let data: String
        let file: String

        init(holding text: String = "") throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("billfold-trial-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            (data, file) = (folder.appendingPathComponent("data").path, folder.appendingPathComponent("file.json").path)
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        }

        var holdsData: Bool { FileManager.default.fileExists(atPath: data) }

        func remove() { try? FileManager.default.removeItem(atPath: (data as NSString).deletingLastPathComponent) }
    }

    #if os(Linux)
        /// A port on loopback at which somebody listens, and the descriptor to close.
        private func listened() throws -> (port: String, descriptor: Int32) {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let listens = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, length) == 0 && listen(descriptor, 1) == 0 && getsockname(descriptor, $0, &length) == 0
                }
            }
            try #require(listens)
            return (String(UInt16(bigEndian: address.sin_port)), descriptor)
        }

        /// A second server beside the first: its reason alone, and nothing of it stays.
        @Test(arguments: ["listen", "console", "sandbox"])
        func aTakenPortIsToldBeforeAnythingIsWritten(flag: String) async throws {
            let place = try Place()
            defer { place.remove() }
            let (taken, descriptor) = try listened()
            defer { close(descriptor) }
            var ports: [String: String] = [:]
            for (name, port) in zip(["listen", "console", "sandbox"], try FreePorts.find(3)) { ports[name] = String(port) }
            ports[flag] = taken
            let ending = try await Program.run(["serve", "--data", place.data] + ports.flatMap { ["--\($0.key)", $0.value] })
            #expect(ending.status == 1)
            let name = flag == "listen" ? "public" : flag
            #expect(ending.output + ending.errors == "refused: port-taken: \(name): 127.0.0.1:\(taken) is already in use\n")
            #expect(!place.holdsData)
        }
    #endif

    /// One address for two listeners of a process is taken by the first.
    @Test func oneAddressForTwoListenersIsRefused() async throws {
        let place = try Place()
        defer { place.remove() }
        let port = String(try FreePorts.find(1)[0])
        let ending = try await Program.run([
            "serve", "--roles", "wallet,console", "--listen", port, "--console", port, "--data", place.data,
        ])
        #expect(ending.status == 1 && ending.errors.contains("port-taken: console"), "\(ending)")
        #expect(!place.holdsData)
    }

    /// Each flag that names a file, in a process of the role that reads it.
    @Test(arguments: [
        (roles: "card-payments", flag: "merchants"), (roles: "provisioning", flag: "issuer"), (roles: "alipay-gateway", flag: "alipay"),
        (roles: "alipay-plus", flag: "alipay-plus"), (roles: "wallet", flag: "alipay-plus-wallet"), (roles: "wallet", flag: "super-app"),
        (roles: "console", flag: "merchants"),
    ])
    func aTypingErrorIsToldBeforeAnythingIsWritten(roles: String, flag: String) async throws {
        for text in ["{", #"{"colour":"red"}"#] {
            let place = try Place(holding: text)
            defer { place.remove() }
            for mode in ["test", "production"] {
                let ports = try FreePorts.find(2).map(String.init)
                let ending = try await Program.run([
                    "serve", "--mode", mode, "--plain-keys", "--roles", roles, "--listen", ports[0], "--console", ports[1], "--\(flag)",
                    place.file, "--data", place.data,
                ])
                #expect(ending.status == 64 && ending.errors.contains("configuration-invalid"), "\(ending)")
                #expect(ending.errors.contains(text == "{" ? "JSON" : "colour") && ending.errors.contains("file"), "\(ending)")
                #expect(!place.holdsData)
            }
        }
    }

    /// What production cannot do without, and files of the process's own flags.
    @Test(arguments: [
        ["--roles", "card-payments"], ["--roles", "provisioning"], ["--roles", "alipay-gateway"], ["--roles", "alipay-plus"],
        ["--roles", "console", "--outgoing-roots", "/nowhere/roots.pem"],
        ["--roles", "console", "--tls-certificate", "/nowhere/chain.pem", "--tls-key", "/nowhere/key.pem"],
    ])
    func whatIsMissingIsToldBeforeAnythingIsWritten(arguments: [String]) async throws {
        let place = try Place()
        defer { place.remove() }
        let ports = try FreePorts.find(2).map(String.init)
        let ending = try await Program.run(
            ["serve", "--mode", "production", "--plain-keys", "--listen", ports[0], "--console", ports[1], "--data", place.data] + arguments
        )
        #expect(ending.status != 0 && ending.errors.wholeMatch(of: /refused: (configuration-invalid|certificate-unusable): .*\n/) != nil)
        #expect(!place.holdsData)
    }
}
