import BillfoldSandbox
import PassKitSimulator
import Testing

@Suite struct BankScreenTests {
    private func pass(_ state: PKSecureElementPass.PassActivationState, methods: [VerificationMethod]? = nil) -> WalletPass {
        WalletPass(
            serialNumber: "s", cardID: "c", primaryAccountIdentifier: "V-1", primaryAccountNumberSuffix: "4242",
            deviceAccountIdentifier: "t", deviceAccountNumberSuffix: "0193", activationState: state, associatedApplicationIdentifiers: [],
            verificationMethods: methods)
    }

    /// A pass in the wallet is not a pass that can pay.
    @Test func onlyAnActivePassIsCalledReady() {
        let method = VerificationMethod(identifier: "1", type: "TEXT_TO_CARDHOLDER_NUMBER", value: "•")
        for (state, methods, kind) in [
            (.activated, nil, .ready), (.requiresActivation, [method], .pending), (.requiresActivation, [], .review),
            (.requiresActivation, nil, .review), (.activating, nil, .pending), (.suspended, nil, .pending), (.deactivated, nil, .pending),
        ] as [(PKSecureElementPass.PassActivationState, [VerificationMethod]?, BankScreen.Outcome.Kind)] {
            let outcome = BankScreen.Outcome(added: pass(state, methods: methods), device: "a phone")
            #expect(outcome.kind == kind, "\(state)")
            #expect((outcome.title == "Ready to use") == (kind == .ready))
        }
    }

    @Test func methodsAreOfferedOnlyWhereSomethingIsToBeProved() {
        let method = VerificationMethod(identifier: "1", type: "TEXT_TO_CARDHOLDER_NUMBER", value: "•")
        #expect(BankScreen.Pass(pass(.requiresActivation, methods: [method])).methods.map(\.id) == ["1"])
        #expect(BankScreen.Pass(pass(.activated, methods: [method])).methods.isEmpty)
        #expect(BankScreen.Pass(pass(.suspended, methods: [method])).methods.isEmpty)
    }
}
