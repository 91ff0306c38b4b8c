import Testing

/// What servers, the sandbox and the pages offer to strangers is what a stranger's process is composed of; the rest is the package's own.
struct AccessTests {
    private static let targets = [
        "BillfoldServer", "CardPaymentsServer", "ProvisioningServer", "AlipayServer", "AlipayPlusServer", "WalletServer", "BillfoldSandbox",
        "BillfoldWeb",
    ]
    /// How many of their declarations are public. The number only ever falls.
    private static let known = 394

    @Test func fewDeclarationsOfServersArePublic() {
        let open = Sources.swift.filter { $0.path.hasPrefix("Sources/") && Self.targets.contains($0.target) }
            .map { file in file.codeLines.count { $0.contains(/\bpublic (?!import)/) } }.reduce(0, +)
        #expect(open <= Self.known, "\(open) declarations are public: `package` is enough unless a stranger's process needs it")
        #expect(open >= Self.known, "only \(open) declarations are public: lower the known number")
    }
}
