import ApplePayApp
import PassKitSimulator
import Synchronization

/// What the bank's app and its extension of the wallet share.
final class SharedContainer: Sendable {
    private let held = Mutex<ExtensionSnapshot?>(nil)

    var snapshot: ExtensionSnapshot? {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}

// The wallet's own way to a card: it lists what the bank's extension offers, without the bank's app in front.
extension BankPhoneSession {
    /// The app leaves what its extension answers from; whoever looks meanwhile waits for it. A bank that does not answer leaves what was
    /// there: the extension is no worse off.
    func leaveSnapshot() {
        leaving = Task { [weak self, pause = surroundings.pause] in
            for _ in 0..<10 {
                guard let app = self?.app, let snapshot = try? await ExtensionSnapshot(from: app.issuer, requiresAuthentication: false),
                    let self, self.app === app
                else { return }
                container.snapshot = snapshot
                guard isBehind(snapshot) else { return }
                do { try await pause() } catch { return }
            }
        }
    }

    /// The issuer hears of a new pass a little later than the wallet; until then the snapshot names no account by which the card is known.
    private func isBehind(_ snapshot: ExtensionSnapshot) -> Bool {
        let held = Set((screen.passes + (screen.watch?.passes ?? [])).compactMap(\.card))
        return snapshot.cards.contains { $0.configuration.primaryAccountIdentifier.isEmpty && held.contains($0.id) }
    }

    func listOffers() async {
        offer = nil
        await leaving?.value
        if let app { offer = await device.walletOffer(of: installed(app.issuer)) }
        let watch = device.pairedWatch?.configuration.kind.rawValue ?? "watch"
        let kind = device.configuration.kind.rawValue
        let entries = (offer?.entries ?? []).map {
            BankScreen.Offers.Entry(id: Self.name($0), title: $0.title, device: $0.isRemote ? watch : kind)
        }
        let note =
            app == nil
            ? "Log in to the bank’s app first." : entries.isEmpty ? "The bank has no card that could be added." : nil
        show { $0.offers = .init(entries: entries, note: note) }
    }

    func addOffer(_ name: String) async {
        guard let offer, let entry = offer.entries.first(where: { Self.name($0) == name }) else { return }
        guard let sheet = await offer.add(entry) else { return show { $0.offers = nil } }
        show { $0.offers = nil }
        follow()
        for await state in sheet.states() where state.phase.isOver { break }
        readPasses()
        leaveSnapshot()
        show { $0.sheet = nil }
        await readCards()
    }

    private static func name(_ entry: WalletOffer.Entry) -> String { "\(entry.isRemote ? "watch" : "phone")-\(entry.id)" }

    private func installed(_ issuer: any IssuerServer) -> WalletExtension {
        let bundle = SignedApp(applicationIdentifier: DemoBankApp.extensionIdentifier, adamID: DemoBankApp.adamID, mayAddPasses: true)
        return WalletExtension(
            handler: bundle,
            makeHandler: { [container] in
                IssuerExtensionHandler(snapshot: { container.snapshot }, issuer: issuer) { _ in
                    CGImage(width: WalletExtension.artSize.width, height: WalletExtension.artSize.height)
                }
            })
    }
}
