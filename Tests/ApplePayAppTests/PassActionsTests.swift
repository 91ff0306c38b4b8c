import Foundation
import Synchronization
import Testing

@testable import PassKitSimulator

/// What a bank's app does with passes that are there.
@MainActor @Suite struct PassActionsTests {
    private func library(_ device: SimulatedDevice) -> PKPassLibrary { SimulatedDevice.$current.withValue(device) { PKPassLibrary() } }

    private static let kind = "paymentpass.com.apple"

    @Test func passIsFoundByKindAndNumber() throws {
        let watch = Fixture.watch(passes: [Fixture.pass("s-2")])
        let device = Fixture.phone(watch: watch, passes: [Fixture.pass(), Fixture.pass("s-3", applications: [])])
        let library = library(device)
        let here = try #require(library.pass(withPassTypeIdentifier: Self.kind, serialNumber: "s-1"))
        let there = try #require(library.pass(withPassTypeIdentifier: Self.kind, serialNumber: "s-2"))
        #expect(!here.isRemotePass && there.isRemotePass && there.deviceName == "Mei's watch")
        #expect(library.pass(withPassTypeIdentifier: Self.kind, serialNumber: "s-3") == nil)
        #expect(library.pass(withPassTypeIdentifier: "pass.com.example", serialNumber: "s-1") == nil)
        #expect(library.containsPass(here) && library.containsPass(there))
        watch.update { $0.isReachable = false }
        #expect(!library.containsPass(there))
        #expect(!library.replacePass(with: here))
    }

    @Test func objectsOfOnePassAreEqual() throws {
        var record = Fixture.pass()
        record.localizedDescription = "Example Visa"
        record.organizationName = "Example Bank"
        let device = Fixture.phone(watch: Fixture.watch(passes: [Fixture.pass()]), passes: [record])
        let library = library(device)
        let (first, second) = (try #require(library.passes().first), try #require(library.passes().first))
        #expect(first !== second && first == second && Set([first, second]).count == 1)
        #expect(first != library.remoteSecureElementPasses.first)
        #expect(first.paymentPass === first && first.secureElementPass === first)
        #expect(first.localizedName == "Example Visa" && first.organizationName == "Example Bank")
        #expect(first.icon.size.width == 38)
        #expect(first.webServiceURL == nil && first.authenticationToken == nil)
    }

    @Test func appRemovesPassesHereAndOnTheWatch() async throws {
        let broker = FakeBroker()
        let watch = Fixture.watch(passes: [Fixture.pass("s-2")])
        let device = Fixture.phone(broker, watch: watch, passes: [Fixture.pass()])
        let library = library(device)
        let passes = library.passes() + library.remoteSecureElementPasses
        for pass in passes { library.removePass(pass) }
        while !(device.passes.isEmpty && watch.passes.isEmpty) { await Task.yield() }
        #expect(broker.now.removed == ["c-s-1", "c-s-2"])
        #expect(passes.allSatisfy { !library.containsPass($0) })
    }

    @Test func brokersRefusalLeavesThePass() async throws {
        let device = Fixture.phone(FakeBroker { $0.refusals = ["remove": [BrokerError(status: 500)]] }, passes: [Fixture.pass()])
        let library = library(device)
        library.removePass(try #require(library.passes().first))
        while device.faults.isEmpty { await Task.yield() }
        #expect(device.passes.count == 1 && device.faults.map(\.code) == [.brokerRefused])
    }

    @Test(arguments: [true, false])
    func removingNeedsEntitlementAndSight(isEntitled: Bool) async throws {
        let broker = FakeBroker()
        let device = Fixture.phone(broker, passes: [Fixture.pass()])
        let library = library(device)
        let pass = try #require(library.passes().first)
        device.update { configuration in
            if isEntitled {
                configuration.app.applicationIdentifier = "OTHER.example.bank"
            } else {
                configuration.app.mayAddPasses = false
            }
        }
        library.removePass(pass)
        for _ in 0..<20 { await Task.yield() }
        #expect(broker.now.removed.isEmpty && device.passes.count == 1)
    }

    @Test func walletShowsWhatAnAppAsksFor() throws {
        let device = Fixture.phone(
            watch: Fixture.watch(passes: [Fixture.pass("s-3")]),
            passes: [Fixture.pass(), Fixture.pass("s-2", state: .suspended)])
        let library = library(device)
        let passes = library.passes(of: .secureElement)
        // For paying: active, and in this device.
        for pass in passes.compactMap(\.paymentPass) + library.remotePaymentPasses() { library.present(pass) }
        #expect(device.shownPasses == ["s-1"])
        // To look at: any pass of this device.
        let addresses = try passes.map { try #require($0.passURL) }
        #expect(addresses.allSatisfy { device.openWallet($0) } && device.shownPasses == ["s-1", "s-1", "s-2"])
        let remote = try #require(library.remoteSecureElementPasses.first?.passURL)
        let foreign = try #require(URL(string: "https://bank.example/card/s-1"))
        #expect(!device.openWallet(remote) && !device.openWallet(foreign) && device.shownPasses.count == 3)
    }

    @Test func activationNeedsTheEntitlement() {
        for (isEntitled, isRestricted, expected) in [(true, false, true), (false, false, false), (true, true, false)] {
            let device = Fixture.phone {
                $0.app.mayAddPasses = isEntitled
                $0.isRestricted = isRestricted
            }
            #expect(library(device).isPaymentPassActivationAvailable() == expected)
            #expect(library(device).isSecureElementPassActivationAvailable == expected)
            SimulatedDevice.$current.withValue(device) { #expect(PKPassLibrary.isPaymentPassActivationAvailable() == expected) }
        }
    }

    /// Every spelling, on a pass that waits and on one that does not.
    @Test(arguments: ["data", "code", "async-data", "async-code", "newer"])
    func olderNamesActivateThePass(spelling: String) async throws {
        for (state, succeeds) in [(PKSecureElementPass.PassActivationState.requiresActivation, true), (.suspended, false)] {
            let device = Fixture.phone(passes: [Fixture.pass(state: state)])
            let library = library(device)
            let pass = try #require(library.passes(of: .payment).first?.paymentPass)
            #expect(pass.activationState.rawValue == UInt(state.rawValue))
            let outcome: (Bool, any Error)
            switch spelling {
            case "data":
                outcome = await withCheckedContinuation { continuation in
                    library.activate(pass, withActivationData: Data([1])) { continuation.resume(returning: ($0, $1)) }
                }
            case "code":
                outcome = await withCheckedContinuation { continuation in
                    library.activate(pass, withActivationCode: "123456") { continuation.resume(returning: ($0, $1)) }
                }
            case "async-data": outcome = await library.activate(pass, withActivationData: Data([1]))
            case "async-code": outcome = await library.activate(pass, withActivationCode: "123456")
            default:
                do {
                    outcome = (try await library.activate(pass, activationData: Data([1])), CancellationError())
                } catch {
                    outcome = (false, error)
                }
            }
            #expect(outcome.0 == succeeds && device.passes.first?.activationState == (succeeds ? .activated : .suspended))
            guard !succeeds else { continue }
            let error = outcome.1 as NSError
            #expect(error.domain == PKPassKitErrorDomain && error.code == PKPassKitError.invalidDataError.rawValue)
        }
    }

    @Test func changesHaveTheirNamesAndKeys() async throws {
        #expect(Notification.Name.PKPassLibraryDidChange.rawValue == PKPassLibraryNotificationName.PKPassLibraryDidChange.rawValue)
        #expect(
            Notification.Name.PKPassLibraryRemotePaymentPassesDidChange.rawValue
                == PKPassLibraryNotificationName.PKPassLibraryRemotePaymentPassesDidChange.rawValue)
        let broker = FakeBroker { $0.passes = [Fixture.phoneID: [Fixture.pass()]] }
        let device = Fixture.phone(broker)
        let library = library(device)
        let heard = Mutex<[String]>([])
        let observer = NotificationCenter.default.addObserver(forName: .PKPassLibraryDidChange, object: library, queue: nil) { news in
            let passes = news.userInfo?[PKPassLibraryNotificationKey.addedPassesUserInfoKey] as? [PKPass] ?? []
            let serials = passes.map(\.serialNumber)
            heard.withLock { $0 += serials }
        }
        try await device.refreshPasses()
        NotificationCenter.default.removeObserver(observer)
        #expect(heard.withLock { $0 } == ["s-1"])
    }

    @Test func errorsHaveDomainsAndCodes() {
        let codes: [PKAddSecureElementPassError.Code] = [
            .genericError, .userCanceledError, .unavailableError, .invalidConfigurationError, .deviceNotSupportedError,
            .deviceNotReadyError, .osVersionNotSupportedError,
        ]
        #expect(codes.map(\.rawValue) == Array(0...6) && PKAddSecureElementPassError.Code.unknownError.rawValue == 0)
        let error = PKAddSecureElementPassError(.userCanceledError) as NSError
        #expect(error.domain == PKAddSecureElementPassErrorDomain && error.code == 1)
        #expect(PKAddSecureElementPassError.errorDomain == "PKAddSecureElementPassErrorDomain")
        // The same number in the other domain is another error.
        let cancelled = PKAddPaymentPassError.userCancelled.passKitError
        #expect(PKAddSecureElementPassError.userCanceledError ~= error && !(PKAddSecureElementPassError.userCanceledError ~= cancelled))
        #expect(PKPassKitError.notEntitledError ~= PKPassKitError(.notEntitledError))
        #expect(!(PKPassKitError.notEntitledError ~= PKPassKitError(.invalidDataError)))
        #expect(PKPassKitError.invalidDataError ~= cancelled, "the two share domain and number: decide by the call")
    }

    @Test func feliCaIsAQuestionAboutBothDevices() {
        #expect(!library(Fixture.phone()).canAddFelicaPass())
        #expect(library(Fixture.phone { $0.hasFelica = true }).canAddFelicaPass())
        let watch = Fixture.watch { $0.hasFelica = true }
        let device = Fixture.phone(watch: watch)
        #expect(library(device).canAddFelicaPass())
        watch.update { $0.isReachable = false }
        #expect(!library(device).canAddFelicaPass())
    }

    /// Apps answer where their network's answer arrives.
    @Test func requestIsTakenOnAnyQueue() async throws {
        let broker = FakeBroker()
        let device = Fixture.phone(broker)
        let configuration = try #require(PKAddPaymentPassRequestConfiguration(encryptionScheme: .ECC_V2))
        configuration.primaryAccountSuffix = "1234"
        let screen = BankScreen()
        screen.onRequest = { handler in
            // Unsafe: neither is touched here again.
            nonisolated(unsafe) let (request, answer) = (BankScreen.request(), handler)
            Thread.detachNewThread { answer(request) }
        }
        let sheet = try SimulatedDevice.$current.withValue(device) {
            let controller = try #require(PKAddPaymentPassViewController(requestConfiguration: configuration, delegate: screen))
            screen.present(controller, animated: true)
            return try #require(controller.sheet)
        }
        await sheet.play(AddPassScript())
        #expect(screen.finishes.first?.pass?.serialNumber == "serial-card-1" && device.faults.isEmpty)
    }

    /// By the names of UIKit that an app has.
    @Test func addressOpensWalletFromTheApp() async throws {
        let device = Fixture.phone(passes: [Fixture.pass()])
        device.installWallet()
        let address = try #require(library(device).passes().first?.passURL)
        let isOpened = await device.screen.application.open(address)
        #expect(isOpened && device.shownPasses == ["s-1"])
    }
}
