import BillfoldDiagnosis

/// Looks for the slip, or the two slips, after which a text is the one that was signed.
struct SlipSearch {
    /// The most bytes that are hashed, so that a long message takes no long time.
    static let budget = 400_000_000

    struct Match {
        var slips: [(slip: SigningSlip, evidence: [Finding.Evidence])]
        /// What was signed.
        var text: [UInt8]
    }

    let slips: [SigningSlip]
    let fits: ([UInt8]) -> Bool

    /// Nil when no combination of at most two fits.
    func run(_ draft: SignedDraft) -> Match? {
        if let text = draft.text(), fits(text) { return Match(slips: [], text: text) }
        var budget = Self.budget
        var singles: [(slip: SigningSlip, variant: SigningSlip.Variant)] = []
        for slip in slips {
            for variant in slip.variants(draft) {
                singles.append((slip, variant))
                if let text = check(variant.draft, &budget) { return Match(slips: [(slip, variant.evidence)], text: text) }
            }
        }
        for (first, done) in singles {
            for slip in slips where slip.code != first.code {
                for variant in slip.variants(done.draft) {
                    guard let text = check(variant.draft, &budget) else { continue }
                    return Match(slips: [(first, done.evidence), (slip, variant.evidence)], text: text)
                }
                if budget <= 0 { return nil }
            }
        }
        return nil
    }

    /// The text, when it fits.
    private func check(_ draft: SignedDraft, _ budget: inout Int) -> [UInt8]? {
        guard budget > 0, !DiagnosisBudget.current.isOver, let text = draft.text() else { return nil }
        budget -= text.count + 200
        return fits(text) ? text : nil
    }
}
