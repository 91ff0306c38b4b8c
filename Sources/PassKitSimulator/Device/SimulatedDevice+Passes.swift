import BillfoldConcurrency
public import Foundation

/// A library that hears of changes.
// Unchecked: the reference itself is read and written under the device's lock. What it refers to goes to the notification centre alone,
// as the posting object, on the main actor.
struct LibraryReference: @unchecked Sendable {
    weak var library: PKPassLibrary?
}

extension SimulatedDevice {
    /// Everything in the secure element, whoever may see it.
    public var passes: [WalletPass] { state.withLock { $0.passes } }

    /// The links that Wallet opened in the bank's app.
    public var openedLinks: [String] { state.withLock { $0.openedLinks } }

    /// The passes that Wallet showed because an app asked for it, in order.
    public var shownPasses: [WalletPass.ID] { state.withLock { $0.shownPasses } }

    /// Opens Wallet at a pass of this device, by `PKPass.passURL`. False for any other address: it is not Wallet's. Whoever plays the system's
    /// `open` asks here.
    @discardableResult
    public func openWallet(_ url: URL) -> Bool {
        guard url.scheme == WalletPass.walletScheme, let pass = passes.first(where: { $0.walletURL == url }) else { return false }
        return showPass(pass.id, forPaying: false)
    }

    /// Lets `UIApplication.open(_:)` on this device's screen reach Wallet by a pass's address.
    @MainActor
    public func installWallet() {
        screen.install(schemes: [WalletPass.walletScheme]) { [weak self] in self?.openWallet($0) }
    }

    /// How this device introduces itself to the broker.
    public var identity: BrokerDevice {
        let configuration = configuration
        return BrokerDevice(
            secureElementID: configuration.secureElementID, kind: configuration.kind, name: configuration.name,
            productType: configuration.model, appleAccount: configuration.appleAccount)
    }

    /// This device and its watch in reach, as far as they can hold passes.
    var passDevices: [SimulatedDevice] { [self, reachableWatch].compactMap { $0 }.filter(\.canMakePayments) }

    var reachableWatch: SimulatedDevice? { pairedWatch.flatMap { $0.configuration.isReachable ? $0 : nil } }

    func holdsPass(primaryAccountIdentifier: String) -> Bool {
        passes.contains { $0.primaryAccountIdentifier == primaryAccountIdentifier }
    }

    // MARK: What the app sees

    /// The bundle of the app whose code runs: the app itself, or an extension of it.
    private var caller: SignedApp { Self.callingExtension ?? configuration.app }

    func canAddPass(primaryAccountIdentifier: String) -> Bool {
        let configuration = configuration
        guard caller.mayAddPasses else { return false }
        let held = visibleRecords(isRemote: false)
        let heldRemotely = visibleRecords(isRemote: true)
        let isMissingHere = canMakePayments && !held.contains { $0.primaryAccountIdentifier == primaryAccountIdentifier }
        guard let watch = reachableWatch, watch.canMakePayments, !configuration.libraryForgetsWatch else { return isMissingHere }
        return isMissingHere || !heldRemotely.contains { $0.primaryAccountIdentifier == primaryAccountIdentifier }
    }

    func visiblePasses(isRemote: Bool) -> [PKPaymentPass] {
        let holder = (isRemote ? pairedWatch : self)?.configuration.name ?? ""
        return visibleRecords(isRemote: isRemote).map { PKPaymentPass($0, isRemote: isRemote, deviceName: holder) }
    }

    private func visibleRecords(isRemote: Bool) -> [WalletPass] {
        guard !isRemote || reachableWatch != nil else { return [] }
        let identifier = caller.applicationIdentifier
        return state.withLock { state in (isRemote ? state.remotePasses : state.passes).filter { $0.isVisible(to: identifier) } }
    }

    /// Whether the app may remove and activate passes.
    var mayActOnPasses: Bool { caller.mayAddPasses }

    var canActivatePasses: Bool { mayActOnPasses && !passDevices.isEmpty }

    /// Shows a pass of this device in Wallet. Only an active one is shown for paying.
    @discardableResult
    func showPass(_ id: WalletPass.ID, forPaying: Bool) -> Bool {
        state.withLock { state in
            guard let pass = state.passes.first(where: { $0.id == id }), !forPaying || pass.activationState == .activated else {
                return false
            }
            state.shownPasses.append(id)
            return true
        }
    }

    /// An app removes a pass; what the broker refuses is recorded and stays.
    @MainActor
    func removePass(_ id: WalletPass.ID, isRemote: Bool) async {
        guard let holder = isRemote ? reachableWatch : self, let pass = holder.passes.first(where: { $0.id == id }) else { return }
        do {
            try await broker.remove(card: pass.cardID, from: holder.identity)
            holder.replacePasses(with: holder.passes.filter { $0.id != id })
        } catch {
            recordRefusal(error, at: "removal")
        }
    }

    func register(_ library: PKPassLibrary) {
        state.withLock { state in
            state.libraries.removeAll { $0.library == nil }
            state.libraries.append(LibraryReference(library: library))
        }
    }

    // MARK: Changes

    /// Asks the broker how this device's passes, and its watch's, stand now: suspended, resumed, deleted, activated elsewhere.
    @MainActor
    public func refreshPasses() async throws {
        for device in [self, reachableWatch].compactMap({ $0 }) {
            let known = device.passes
            let now = try await broker.passes(on: device.identity).map { pass in
                var pass = pass
                let before = known.first { $0.id == pass.id }
                if pass.verificationMethods == nil { pass.verificationMethods = before?.verificationMethods }
                return pass
            }
            device.replacePasses(with: now)
        }
    }

    /// The customer removes a pass, here or on the watch.
    @MainActor
    public func removePass(_ pass: WalletPass.ID) async throws {
        guard let (holder, pass) = holder(of: pass) else { return }
        try await broker.remove(card: pass.cardID, from: holder.identity)
        holder.replacePasses(with: holder.passes.filter { $0.id != pass.id })
    }

    /// Asks for a code from the pass's own screen in Wallet, after the customer chose to prove who he is later.
    @MainActor
    public func requestCode(for pass: WalletPass.ID, by method: VerificationMethod.ID) async throws {
        guard let (holder, pass) = holder(of: pass) else { throw PKPassKitError(.invalidDataError) }
        if pass.verificationMethods?.first(where: { $0.id == method })?.opensApp == true { return openApp(for: pass) }
        try await broker.requestCode(card: pass.cardID, method: method, on: holder.identity)
    }

    /// Enters a code on the pass's own screen in Wallet. A refusal is a ``BrokerError`` with a ``CodeRefusal`` as its reason.
    @MainActor
    public func enterCode(_ code: String, for pass: WalletPass.ID) async throws {
        guard let (holder, pass) = holder(of: pass) else { throw PKPassKitError(.invalidDataError) }
        holder.set(try await broker.enterCode(code, card: pass.cardID, on: holder.identity), for: pass.id)
    }

    @MainActor
    func activate(_ pass: WalletPass, isRemote: Bool, activationData: Data) async throws(PKPassKitError) {
        guard configuration.app.mayAddPasses else { throw PKPassKitError(.notEntitledError) }
        guard let holder = isRemote ? reachableWatch : self, let held = holder.passes.first(where: { $0.id == pass.id }),
            held.activationState == .requiresActivation, !activationData.isEmpty
        else { throw PKPassKitError(.invalidDataError) }
        do {
            holder.set(try await broker.activate(card: held.cardID, activationData: activationData, on: holder.identity), for: held.id)
        } catch {
            recordRefusal(error, at: "activation")
            throw PKPassKitError(error is BrokerError ? .invalidDataError : .unknownError)
        }
    }

    func openApp(for pass: WalletPass) {
        guard let link = pass.verificationLink else { return }
        state.withLock { $0.openedLinks.append(link) }
    }

    func recordRefusal(_ error: any Error, at step: String) {
        guard let refusal = error as? BrokerError else { return record(.brokerUnanswered, "\(step): no answer") }
        let code = refusal.code.map { ", code \($0)" } ?? ""
        record(.brokerRefused, "\(step): \(refusal.status)\(code) \(refusal.reason)")
    }

    @MainActor
    func install(_ pass: WalletPass) { replacePasses(with: passes.filter { $0.id != pass.id } + [pass]) }

    @MainActor
    func set(_ activationState: PKSecureElementPass.PassActivationState, for pass: WalletPass.ID) {
        replacePasses(
            with: passes.map { old in
                var new = old
                if old.id == pass { new.activationState = activationState }
                return new
            })
    }

    private func holder(of pass: WalletPass.ID) -> (SimulatedDevice, WalletPass)? {
        for device in [self, reachableWatch].compactMap({ $0 }) {
            if let held = device.passes.first(where: { $0.id == pass }) { return (device, held) }
        }
        return nil
    }

    @MainActor
    private func replacePasses(with new: [WalletPass]) {
        let (old, companion) = state.withLock { state in
            defer { state.passes = new }
            return (state.passes, state.companion)
        }
        guard old != new else { return }
        announce(.PKPassLibraryDidChange, from: old, to: new, isRemote: false)
        companion?.watchChanged()
    }

    /// The phone hears of its watch's passes, perhaps a little later.
    @MainActor
    private func watchChanged() {
        let delay = configuration.watchSyncDelay
        guard delay > .zero else { return readWatch() }
        Task { @MainActor [timer] in
            do { try await timer.sleep(delay) } catch { return }
            readWatch()
        }
    }

    @MainActor
    private func readWatch() {
        let new = pairedWatch?.passes ?? []
        let old = state.withLock { state in
            defer { state.remotePasses = new }
            return state.remotePasses
        }
        announce(.PKPassLibraryRemotePaymentPassesDidChange, from: old, to: new, isRemote: true)
    }

    /// Tells the app's libraries what changed among the passes that it may see.
    @MainActor
    private func announce(_ name: PKPassLibraryNotificationName, from old: [WalletPass], to new: [WalletPass], isRemote: Bool) {
        let app = configuration.app.applicationIdentifier
        let old = old.filter { $0.isVisible(to: app) }
        let new = new.filter { $0.isVisible(to: app) }
        guard old != new else { return }
        let holder = (isRemote ? pairedWatch : self)?.configuration.name ?? ""
        func objects(_ passes: [WalletPass]) -> [PKPass] {
            passes.map { PKPaymentPass($0, isRemote: isRemote, deviceName: holder) }
        }
        let known = Set(old.map(\.id))
        var changes: [PKPassLibraryNotificationKey: [Any]] = [:]
        changes[.addedPassesUserInfoKey] = objects(new.filter { !known.contains($0.id) })
        changes[.replacementPassesUserInfoKey] = objects(new.filter { known.contains($0.id) && !old.contains($0) })
        changes[.removedPassInfosUserInfoKey] = Set(old.map(\.id)).subtracting(new.map(\.id)).sorted().map {
            [
                PKPassLibraryNotificationKey.passTypeIdentifierUserInfoKey.rawValue: WalletPass.passTypeIdentifier,
                PKPassLibraryNotificationKey.serialNumberUserInfoKey.rawValue: $0,
            ]
        }
        let userInfo = Dictionary(uniqueKeysWithValues: changes.filter { !$0.value.isEmpty }.map { ($0.key.rawValue, $0.value) })
        for library in state.withLock({ $0.libraries }).compactMap(\.library) {
            NotificationCenter.default.post(name: Notification.Name(name.rawValue), object: library, userInfo: userInfo)
        }
    }
}
