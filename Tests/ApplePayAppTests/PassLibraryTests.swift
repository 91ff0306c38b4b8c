import Foundation
import Testing

@testable import PassKitSimulator

@MainActor @Suite struct PassLibraryTests {
    private func library(_ device: SimulatedDevice) -> PKPassLibrary { SimulatedDevice.$current.withValue(device) { PKPassLibrary() } }

    /// The header's rule, and the ways in which it misleads.
    @Test(arguments: [
        (phone: [String](), watch: [String]?.none, entitled: true, expected: true),
        (["V-1"], nil, true, false),
        (["V-2"], nil, true, true),
        (["V-1"], [], true, true),
        (["V-1"], ["V-1"], true, false),
        ([], ["V-1"], true, true),
        // Looks like "already there".
        ([], nil, false, false),
    ])
    func canAddWhileOneDeviceLacksThePass(phone: [String], watch: [String]?, entitled: Bool, expected: Bool) {
        func passes(_ accounts: [String]) -> [WalletPass] { accounts.map { Fixture.pass($0, account: $0) } }
        let device = Fixture.phone(watch: watch.map { Fixture.watch(passes: passes($0)) }, passes: passes(phone)) {
            $0.app.mayAddPasses = entitled
        }
        #expect(library(device).canAddSecureElementPass(primaryAccountIdentifier: "V-1") == expected)
        #expect(library(device).canAddPaymentPass(withPrimaryAccountIdentifier: "V-1") == expected)
    }

    @Test func watchOutOfReachOrForgottenCountsForNothing() {
        for (reachable, forgotten, expected) in [(true, false, true), (false, false, false), (true, true, false)] {
            let watch = Fixture.watch { $0.isReachable = reachable }
            let device = Fixture.phone(watch: watch, passes: [Fixture.pass()]) { $0.libraryForgetsWatch = forgotten }
            #expect(library(device).canAddSecureElementPass(primaryAccountIdentifier: "V-1") == expected)
        }
        let watch = Fixture.watch(passes: [Fixture.pass()])
        let device = Fixture.phone(watch: watch)
        #expect(library(device).remoteSecureElementPasses.count == 1)
        watch.update { $0.isReachable = false }
        #expect(library(device).remoteSecureElementPasses.isEmpty && library(device).remotePaymentPasses().isEmpty)
    }

    @Test func restrictedDeviceCanAddNothing() {
        let device = Fixture.phone { $0.isRestricted = true }
        #expect(!library(device).canAddSecureElementPass(primaryAccountIdentifier: ""))
        let tablet = Fixture.phone { $0.kind = .tablet }
        #expect(library(tablet).canAddSecureElementPass(primaryAccountIdentifier: ""))
    }

    @Test(arguments: [
        ("TEAM.example.bank", true), ("TEAM.example.*", true), ("TEAM.*", true), ("*", true), ("TEAM.example.bank.extension", false),
        ("OTHER.example.bank", false), ("TEAM.example.ban", false), ("", false),
    ])
    func passIsVisibleToAssociatedAppsOnly(entry: String, isVisible: Bool) {
        let device = Fixture.phone(
            watch: Fixture.watch(passes: [Fixture.pass(applications: [entry])]), passes: [Fixture.pass(applications: [entry])])
        let library = library(device)
        #expect(library.passes(of: .secureElement).count == (isVisible ? 1 : 0))
        #expect(library.passes().count == (isVisible ? 1 : 0) && library.remoteSecureElementPasses.count == (isVisible ? 1 : 0))
        // The trap: a hidden pass does not stop the library from saying "can add".
        #expect(library.canAddSecureElementPass(primaryAccountIdentifier: "V-1") == !isVisible)
    }

    @Test func passesAreOfTheSecureElement() throws {
        let library = library(Fixture.phone(passes: [Fixture.pass(state: .suspended)]))
        #expect(library.passes(of: .barcode).isEmpty && library.passes(of: .payment).count == 1)
        let pass = try #require(library.passes(of: .any).first?.secureElementPass)
        #expect(pass.passActivationState == .suspended && pass.passTypeIdentifier == "paymentpass.com.apple" && pass.serialNumber == "s-1")
        #expect(pass.primaryAccountNumberSuffix == "1234" && pass.deviceAccountIdentifier == "D-s-1" && pass.passType == .secureElement)
        #expect(PKSecureElementPass.PassActivationState.allCases.map(\.rawValue) == [0, 1, 2, 3, 4])
    }

    @Test func changesAreAnnouncedToTheirOwnLibrary() async throws {
        let broker = FakeBroker { $0.passes = [Fixture.phoneID: [Fixture.pass("s-1"), Fixture.pass("s-2")]] }
        let device = Fixture.phone(broker)
        let library = library(device)
        let news = News(library)
        try await device.refreshPasses()
        #expect(news.local == [["+s-1", "+s-2"]] && news.remote.isEmpty)
        try await device.refreshPasses()
        #expect(news.local.count == 1)
        broker.change { $0.passes = [Fixture.phoneID: [Fixture.pass("s-1", state: .suspended)]] }
        try await device.refreshPasses()
        #expect(news.local.last == ["-s-2", "~s-1"])
        // A pass that the app may not see is no news to it.
        broker.change { $0.passes[Fixture.phoneID]?.append(Fixture.pass("s-3", applications: [])) }
        try await device.refreshPasses()
        #expect(news.local.count == 2 && device.passes.count == 2)
        broker.change { $0.passes = [:] }
        try await device.refreshPasses()
        #expect(news.local.last == ["-s-1"])
    }

    @Test func watchsPassesReachThePhoneAfterAWhile() async throws {
        let timer = ManualTimer()
        let broker = FakeBroker { $0.passes = [Fixture.watchID: [Fixture.pass("s-1")]] }
        let watch = Fixture.watch()
        let device = Fixture.phone(broker, watch: watch, timer: timer) { $0.watchSyncDelay = .milliseconds(600) }
        let library = library(device)
        let news = News(library)
        try await device.refreshPasses()
        await timer.untilSomeoneSleeps(for: .milliseconds(600))
        #expect(watch.passes.count == 1 && library.remoteSecureElementPasses.isEmpty && news.remote.isEmpty)
        timer.advance(by: .milliseconds(600))
        await news.untilRemote(count: 1)
        #expect(news.remote == [["+s-1"]] && news.local.isEmpty && library.remoteSecureElementPasses.first?.isRemotePass == true)
    }

    @Test func waitingPassIsProvedInTheWallet() async throws {
        let broker = FakeBroker()
        let watch = Fixture.watch(passes: [Fixture.pass("s-2", state: .requiresActivation)])
        let device = Fixture.phone(broker, watch: watch, passes: [Fixture.pass(state: .requiresActivation)])
        for pass in ["s-1", "s-2"] {
            try await device.requestCode(for: pass, by: "m-1")
            await #expect(throws: BrokerError(status: 403, reason: CodeRefusal.wrong.rawValue)) {
                try await device.enterCode("000000", for: pass)
            }
            try await device.enterCode("123456", for: pass)
        }
        #expect(device.passes[0].activationState == .activated && watch.passes[0].activationState == .activated)
        #expect(broker.now.requestedMethods == ["m-1", "m-1"])
        await #expect(throws: PKPassKitError(.invalidDataError)) { try await device.enterCode("123456", for: "s-9") }
    }

    @Test func customerRemovesAPass() async throws {
        let broker = FakeBroker()
        let device = Fixture.phone(broker, watch: Fixture.watch(passes: [Fixture.pass("s-2")]), passes: [Fixture.pass()])
        try await device.removePass("s-1")
        try await device.removePass("s-2")
        #expect(device.passes.isEmpty && device.pairedWatch?.passes.isEmpty == true)
        #expect(broker.now.removed == ["c-s-1", "c-s-2"])
        let refusing = Fixture.phone(FakeBroker { $0.refusals = ["remove": [BrokerError(status: 500)]] }, passes: [Fixture.pass()])
        await #expect(throws: BrokerError(status: 500)) { try await refusing.removePass("s-1") }
        #expect(refusing.passes.count == 1)
    }

    /// Activates through the library; the error's code, or nil for success.
    private func activate(_ device: SimulatedDevice, _ data: Data = Data([1])) async throws -> Int? {
        let library = library(device)
        let pass = try #require((library.passes() + library.remoteSecureElementPasses).first?.secureElementPass)
        return await withCheckedContinuation { continuation in
            library.activate(pass, activationData: data) { success, error in
                continuation.resume(returning: success ? nil : (error as NSError?)?.code ?? 0)
            }
        }
    }

    @Test func bankAppActivatesAWaitingPass() async throws {
        let waiting = Fixture.pass(state: .requiresActivation)
        let device = Fixture.phone(passes: [waiting])
        #expect(try await activate(device) == nil)
        #expect(device.passes[0].activationState == .activated)
        let paired = Fixture.phone(watch: Fixture.watch(passes: [waiting]))
        #expect(try await activate(paired) == nil)
        #expect(paired.pairedWatch?.passes[0].activationState == .activated)
        #expect(try await activate(Fixture.phone(passes: [Fixture.pass()])) == PKPassKitError.Code.invalidDataError.rawValue)
        #expect(try await activate(Fixture.phone(passes: [waiting]), Data()) == PKPassKitError.Code.invalidDataError.rawValue)
        let refusing = Fixture.phone(FakeBroker { $0.refusals = ["activate": [BrokerError(status: 403)]] }, passes: [waiting])
        #expect(try await activate(refusing) == PKPassKitError.Code.invalidDataError.rawValue)
        let silent = Fixture.phone(FakeBroker { $0.refusals = ["activate": [NoBroker.Unreachable()]] }, passes: [waiting])
        #expect(try await activate(silent) == PKPassKitError.Code.unknownError.rawValue)
        let unentitled = Fixture.phone(passes: [waiting]) { $0.app.mayAddPasses = false }
        #expect(try await activate(unentitled) == PKPassKitError.Code.notEntitledError.rawValue)
        #expect(unentitled.passes[0].activationState == .requiresActivation)
    }

    @Test func passReadsTheBrokersJSON() throws {
        let json = """
            {"serialNumber":"s","cardId":"c","primaryAccountIdentifier":"V-1","primaryAccountNumberSuffix":"1234",
            "deviceAccountIdentifier":"D","deviceAccountNumberSuffix":"9876","activationState":1,"associatedApplicationIdentifiers":["T.*"]}
            """
        let pass = try JSONDecoder().decode(WalletPass.self, from: Data(json.utf8))
        #expect(pass.cardID == "c" && pass.activationState == .requiresActivation && pass.verificationMethods == nil)
        #expect(try JSONDecoder().decode(WalletPass.self, from: JSONEncoder().encode(pass)) == pass)
    }

    @Test func refreshKeepsTheMethodsThatTheBrokerLeavesOut() async throws {
        var known = Fixture.pass(state: .requiresActivation)
        known.verificationMethods = nil
        let broker = FakeBroker { [known] in $0.passes = [Fixture.phoneID: [known]] }
        let device = Fixture.phone(broker, passes: [Fixture.pass(state: .requiresActivation)])
        try await device.refreshPasses()
        #expect(device.passes[0].verificationMethods == [FakeBroker.sms])
    }
}

/// What a library announced, in short.
@MainActor
private final class News {
    private(set) var local: [[String]] = []
    private(set) var remote: [[String]] = []
    private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    init(_ library: PKPassLibrary) {
        observe(.PKPassLibraryDidChange, library) { $0.local.append($1) }
        observe(.PKPassLibraryRemotePaymentPassesDidChange, library) {
            $0.remote.append($1)
            $0.wake()
        }
    }

    func untilRemote(count: Int) async {
        guard remote.count < count else { return }
        await withCheckedContinuation { waiting.append((count, $0)) }
    }

    private func wake() {
        for entry in waiting where remote.count >= entry.count { entry.continuation.resume() }
        waiting.removeAll { remote.count >= $0.count }
    }

    private func observe(
        _ name: PKPassLibraryNotificationName, _ library: PKPassLibrary, _ add: @escaping @Sendable @MainActor (News, [String]) -> Void
    ) {
        _ = NotificationCenter.default.addObserver(forName: Notification.Name(name.rawValue), object: library, queue: nil) { [weak self] in
            let lines = Self.lines($0.userInfo ?? [:])
            MainActor.assumeIsolated { if let self { add(self, lines) } }
        }
    }

    nonisolated private static func lines(_ info: [AnyHashable: Any]) -> [String] {
        func passes(_ key: PKPassLibraryNotificationKey, _ sign: String) -> [String] {
            (info[key.rawValue] as? [PKPass] ?? []).map { sign + $0.serialNumber }
        }
        let removed = (info[PKPassLibraryNotificationKey.removedPassInfosUserInfoKey.rawValue] as? [[String: String]] ?? []).compactMap {
            $0[PKPassLibraryNotificationKey.serialNumberUserInfoKey.rawValue].map { "-" + $0 }
        }
        return (passes(.addedPassesUserInfoKey, "+") + passes(.replacementPassesUserInfoKey, "~") + removed).sorted()
    }
}
