import Testing

/// What servers, the sandbox and the pages offer to strangers is what a stranger's process is composed of; the rest is the package's own.
struct AccessTests {
    /// How many declarations of a target are public. The numbers only ever fall.
    private static let known = [
        "BillfoldServer": 155, "CardPaymentsServer": 34, "ProvisioningServer": 107, "AlipayServer": 28, "AlipayPlusServer": 26,
        "WalletServer": 44, "BillfoldSandbox": 0, "BillfoldWeb": 0,
    ]

    @Test(arguments: known.keys.sorted()) func fewDeclarationsOfServersArePublic(target: String) {
        let open = Sources.swift.filter { $0.path.hasPrefix("Sources/") && $0.target == target }
            .map { file in file.codeLines.count { $0.contains("public ") && $0.contains(/\bpublic (?!import)/) } }.reduce(0, +)
        let known = Self.known[target] ?? 0
        #expect(open <= known, "\(target) has \(open) public declarations: `package` is enough unless a stranger's process needs one")
        #expect(open >= known, "\(target) has only \(open) public declarations: lower the known number")
    }
}
