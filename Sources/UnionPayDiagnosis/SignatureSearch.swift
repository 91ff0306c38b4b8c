import BillfoldDiagnosis
import Foundation

/// Finds the smallest set of faults under which a signature fits.
struct SignatureSearch {
    struct Match {
        var faults: [SigningFault]
        var draft: SigningDraft
        /// Which of the candidates verified.
        var candidate: Int
    }

    let faults: [SigningFault]
    /// One check per key that may have signed.
    let candidates: [(SigningDraft, [UInt8]) -> Bool]

    /// The right way first, then every single fault, then every pair.
    func run(_ draft: SigningDraft) -> Match? {
        var tried: Set<SigningDraft> = [draft]
        if let candidate = fit(draft) { return Match(faults: [], draft: draft, candidate: candidate) }
        var bent: [(SigningFault, [SigningDraft])] = []
        for fault in faults {
            let drafts = fault.bend(draft).filter { tried.insert($0).inserted }
            for next in drafts {
                if let candidate = fit(next) { return Match(faults: [fault], draft: next, candidate: candidate) }
            }
            bent.append((fault, drafts))
        }
        for (first, (fault, drafts)) in bent.enumerated() {
            for second in faults[(first + 1)...] {
                // Two faults that each have hundreds of forms are left to a person.
                for next in drafts {
                    let further = second.bend(next)
                    guard drafts.count * further.count < 4000 else { break }
                    for last in further where tried.insert(last).inserted {
                        if let candidate = fit(last) { return Match(faults: [fault, second], draft: last, candidate: candidate) }
                    }
                }
            }
        }
        return nil
    }

    private func fit(_ draft: SigningDraft) -> Int? {
        guard !DiagnosisBudget.current.isOver, let bytes = draft.bytes else { return nil }
        return candidates.firstIndex { $0(draft, bytes) }
    }
}
