import Foundation
import Testing

@testable import ApplePayApp
@testable import PassKitSimulator

@MainActor @Suite struct ProvisioningEligibilityTests {
    private func facts(
        can: Bool = true, issuer: IssuerEligibility = .enabled, library: Bool, here: HeldPass.Activation? = nil,
        watchHolds: HeldPass.Activation? = nil, watch: WatchPresence = .none
    ) -> ProvisioningEligibility {
        let passes =
            (here.map { [HeldPass(device: .thisDevice, activation: $0)] } ?? [])
            + (watchHolds.map { [HeldPass(device: .watch, activation: $0)] } ?? [])
        return EligibilityFacts(deviceCanAddPasses: can, issuer: issuer, libraryCanAdd: library, passes: passes, watch: watch).eligibility
    }

    @Test func deviceComesFirstThenTheIssuersSwitch() {
        let off = IssuerEligibility.disabled(code: "programme-off", reason: "maintenance")
        #expect(facts(can: false, issuer: off, library: true) == .notSupported)
        #expect(facts(issuer: off, library: true) == .disabledByIssuer(code: "programme-off", reason: "maintenance"))
        #expect(facts(issuer: off, library: false) == .disabledByIssuer(code: "programme-off", reason: "maintenance"))
    }

    @Test func cannotAddWithoutAPassHereMeansNoEntitlement() {
        #expect(facts(library: false) == .notEntitled)
        #expect(facts(library: false, watchHolds: .activated, watch: .inReach) == .notEntitled)
        #expect(facts(library: false, here: .activated) == .complete)
    }

    /// Who holds the pass and where the watch is; what can be added.
    @Test(arguments: [
        (false, false, WatchPresence.none, [PassHolder.thisDevice]),
        (false, false, .inReach, [.thisDevice, .watch]),
        (false, false, .unknown, [.thisDevice]),
        (false, false, .outOfReach, [.thisDevice]),
        (true, false, .inReach, [.watch]),
        // The library alone knows of this watch.
        (true, false, .unknown, [.watch]),
        (false, true, .inReach, [.thisDevice]),
    ])
    func addableNamesTheDevices(here: Bool, watchHolds: Bool, watch: WatchPresence, devices: [PassHolder]) {
        let answer = facts(
            library: true, here: here ? .activated : nil, watchHolds: watchHolds ? .activated : nil, watch: watch)
        #expect(answer == .addable(devices))
        #expect(answer.documentedState.rawValue == 2)
    }

    @Test func watchCountsWhereTheLibraryForgetsIt() {
        #expect(facts(library: false, here: .activated, watch: .inReach) == .addable([.watch]))
        #expect(facts(library: false, here: .activated, watch: .outOfReach) == .complete)
        #expect(facts(library: false, here: .activated, watchHolds: .activated, watch: .inReach) == .complete)
    }

    @Test(arguments: [
        (HeldPass.Activation.activated, false), (.requiresActivation, true), (.activating, true), (.suspended, false),
        (.deactivated, false),
    ])
    func passWaitingForAProofIsPending(state: HeldPass.Activation, isPending: Bool) {
        #expect(facts(library: false, here: state) == (isPending ? .pendingActivation([.thisDevice]) : .complete))
        #expect(
            facts(library: false, here: .activated, watchHolds: state, watch: .inReach)
                == (isPending ? .pendingActivation([.watch]) : .complete))
    }

    @Test func documentedStatesAreMadeAtTheEdgeOnly() {
        let table: [(ProvisioningEligibility, Int)] = [
            (.notSupported, 0), (.disabledByIssuer(code: "c", reason: "r"), 0), (.notEntitled, 0), (.complete, 1),
            (.pendingActivation([.watch]), 1), (.addable([.thisDevice]), 2),
        ]
        for (eligibility, state) in table { #expect(eligibility.documentedState.rawValue == state) }
    }

    // MARK: Asked of a device

    private func eligibility(
        _ device: SimulatedDevice, account: String = "V-1", watch: WatchPresence = .unknown
    ) -> ProvisioningEligibility {
        SimulatedDevice.$current.withValue(device) {
            PassInventory { watch }.facts(account: account, issuer: .enabled).eligibility
        }
    }

    @Test func deviceIsAsked() {
        #expect(eligibility(Fixture.phone { $0.isRestricted = true }) == .notSupported)
        #expect(eligibility(Fixture.phone { $0.app.mayAddPasses = false }) == .notEntitled)
        #expect(eligibility(Fixture.phone()) == .addable([.thisDevice]))
        #expect(eligibility(Fixture.phone(), account: "") == .addable([.thisDevice]))
        #expect(eligibility(Fixture.phone(passes: [Fixture.pass(account: "")]), account: "") == .notEntitled)
        #expect(eligibility(Fixture.phone(passes: [Fixture.pass()])) == .complete)
        #expect(eligibility(Fixture.phone(passes: [Fixture.pass(state: .requiresActivation)])) == .pendingActivation([.thisDevice]))
        let both = Fixture.phone(watch: Fixture.watch(passes: [Fixture.pass("s-2", state: .activating)]), passes: [Fixture.pass()])
        #expect(eligibility(both, watch: .inReach) == .pendingActivation([.watch]))
        let freeWatch = Fixture.phone(watch: Fixture.watch(), passes: [Fixture.pass()])
        #expect(eligibility(freeWatch) == .addable([.watch]))
        freeWatch.update { $0.libraryForgetsWatch = true }
        #expect(eligibility(freeWatch) == .complete && eligibility(freeWatch, watch: .inReach) == .addable([.watch]))
        freeWatch.pairedWatch?.update { $0.isReachable = false }
        #expect(eligibility(freeWatch, watch: .outOfReach) == .complete)
    }

    @Test func hiddenPassThatTheAppAddedStopsTheButton() throws {
        let device = Fixture.phone(passes: [Fixture.pass(applications: ["OTHER.app"])])
        let inventory = SimulatedDevice.$current.withValue(device) { PassInventory() }
        func answer() -> ProvisioningEligibility {
            SimulatedDevice.$current.withValue(device) { inventory.facts(account: "V-1", issuer: .enabled).eligibility }
        }
        #expect(answer() == .addable([.thisDevice]))
        let pass = PKPaymentPass(Fixture.pass(state: .requiresActivation), isRemote: false, deviceName: "")
        inventory.rememberHidden(pass, on: .thisDevice)
        #expect(
            inventory.passes(account: "V-1") == [HeldPass(device: .thisDevice, activation: .requiresActivation, isVisible: false)])
        // Still "can add" for the library, but this device is known to hold it.
        #expect(SimulatedDevice.$current.withValue(device) { inventory.facts(account: "V-1", issuer: .enabled).libraryCanAdd })
        #expect(answer() == .pendingActivation([.thisDevice]))
        #expect(inventory.passes(account: "V-2").isEmpty)
    }

    @Test func systemsButtonIsThereOnlyForWhatCanBeAdded() {
        var taps = 0
        let button = PKAddPassButton.button(for: .addable([.watch]), style: .blackOutline) { taps += 1 }
        button?.sendTap()
        #expect(taps == 1 && button?.addPassButtonStyle == .blackOutline)
        for other in [ProvisioningEligibility.notSupported, .notEntitled, .complete, .pendingActivation([.thisDevice])] {
            #expect(PKAddPassButton.button(for: other) {} == nil)
        }
    }
}
