import ArgumentParser
import BillfoldSandbox
import BillfoldServer

extension ServerRole {
    /// The wallets of the payment sheet.
    static let mobileWallets: Self = "mobile-wallets"
}

/// The wallets of the payment sheet, each on a store and with keys of its own. They share the onboarding key with the gateway through the
/// data folder.
struct MobileWalletsParty: SandboxParty, ParsableArguments {
    static let role = ServerRole.mobileWallets
    static let stores = [StoreKind.sandboxParty]

    @Option(help: "The sandbox's wallets, when they run in other processes: one origin, or TYPE=ORIGIN pairs between commas.")
    var mobileWalletsURL: String?
    @Option(help: "Which of the sandbox's wallets this process plays. Default: all.") var mobileWallets: String?

    /// Each wallet is at one origin, or at those that are named as `TYPE=ORIGIN` and the others at this process's own listener.
    func address(standard: String) throws -> CapabilityAddress {
        let isList = mobileWalletsURL?.contains("=") ?? false
        let one = isList ? standard : mobileWalletsURL ?? standard
        var address = CapabilityAddress(one, members: Dictionary(uniqueKeysWithValues: MobileWallet.types.map { ($0, one) }))
        for pair in isList ? mobileWalletsURL?.split(separator: ",") ?? [] : [] {
            let halves = pair.split(separator: "=", maxSplits: 1).map(String.init)
            guard halves.count == 2, address.members[halves[0]] != nil else {
                throw CommandFailure.invalid("'\(pair)' is no wallet's address; say TYPE=ORIGIN")
            }
            address.members[halves[0]] = halves[1]
        }
        return address
    }

    func check(_ addresses: Addresses) throws { _ = try played }

    /// By `paymentMethodType`; all of them where none is named.
    private var played: [String] {
        get throws {
            guard let mobileWallets else { return MobileWallet.types }
            return try mobileWallets.split(separator: ",").map { name in
                guard MobileWallet.types.contains(String(name)) else {
                    throw CommandFailure.invalid(
                        "'\(name)' is no wallet of the sandbox; they are \(MobileWallet.types.joined(separator: ", "))")
                }
                return String(name)
            }
        }
    }

    func play(in process: ServingProcess, adding part: inout CapabilityPart) async throws {
        let addresses = process.addresses
        let key = try process.folder.bearer(AlipayPlusCapability.onboardingKey)
        var wallets: [MobileWallet] = []
        for type in try played {
            guard let slug = MobileWallet.slug(type), let origin = addresses[.mobileWallets].members[type] else { continue }
            wallets.append(
                try await MobileWallet(
                    .init(
                        type: type, gateway: addresses[.alipayPlus].origin, origin: origin, console: addresses[.console].origin,
                        onboardingKey: key),
                    keys: process.partyKeys("mobile-wallet-\(slug)"),
                    surroundings: try await process.partySurroundings("mobile-wallet-\(slug).sqlite"), client: process.partyClient))
        }
        let all = MobileWallets(wallets)
        part.routes.append { all.addRoutes(to: $0) }
        part.workers += all.workers
        try part.addSandboxAssets()
    }
}
