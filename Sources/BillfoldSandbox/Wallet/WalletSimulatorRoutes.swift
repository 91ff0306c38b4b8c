package import Hummingbird

/// What the device does, over HTTP under `/phone/wallet`. The setting holds for the whole wallet, on every phone, from the next
/// token on; it is kept in memory, so that a restart makes genuine tokens again.
///
/// - `GET /phone/wallet`: the present ``WalletKnobs``.
/// - `PUT /phone/wallet`: replaces them, and answers with what holds now. A key left out takes its default.
/// - `GET /phone/wallet/behaviours`: ``WalletBehaviour/all``, settings worth playing.
package struct WalletSimulatorRoutes: Sendable {
    private let wallet: WalletSimulator

    package init(wallet: WalletSimulator) { self.wallet = wallet }

    private struct Behaviours: Encodable { var behaviours: [WalletBehaviour] }

    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let group = router.group("phone/wallet").add(middleware: SandboxErrors())
        group.get("") { [wallet] _, _ in try SandboxBody.json(await wallet.knobs) }
        group.put("") { [wallet] request, _ in
            let knobs = try await SandboxBody.decode(WalletKnobs.self, from: request)
            await wallet.set(knobs)
            return try SandboxBody.json(knobs)
        }
        group.get("behaviours") { _, _ in try SandboxBody.json(Behaviours(behaviours: WalletBehaviour.all)) }
    }
}
