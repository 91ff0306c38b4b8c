import BillfoldJSON

/// The sheets whose orders were handed to the Alipay SDK, oldest first, and which of them an answer is told to.
///
/// One payment's word is never told of another as a success or a failure: where it cannot be known whose it is, it is told as processing.
@MainActor
struct AlipayLaunches {
    /// Those that wait, and the latest.
    private var sheets: [PaymentSheetSession] = []
    /// Whether more than one payment was handed over since the app started.
    private var areSeveral = false

    mutating func add(_ sheet: PaymentSheetSession) {
        areSeveral = areSeveral || sheets.contains { $0.orderNumber == nil || !ExactText.equal($0.orderNumber, sheet.orderNumber) }
        sheets.removeAll { !$0.isWaiting }
        sheets.append(sheet)
    }

    /// Tells an answer to whom it is meant for.
    ///
    /// - Parameters:
    ///   - answer: What the Alipay SDK said.
    ///   - asker: The sheet whose own block was called; nil for what came with a URL.
    /// - Returns: Whether somebody had waited for it.
    func tell(_ answer: AlipayAnswer, askedBy asker: PaymentSheetSession?) -> Bool {
        let named = answer.orderNumber.map { number in sheets.filter { ExactText.equal($0.orderNumber, number) } } ?? []
        let isNamed = named.contains { $0 === asker }
        var isHeard = false
        for sheet in named { isHeard = tell(answer.word, to: sheet) || isHeard }
        if let asker, !isNamed {
            // Its block is used up: it hears no more than that something came back.
            let isItsOwn = answer.orderNumber == nil || (named.isEmpty && asker.orderNumber == nil)
            return tell(isItsOwn ? answer.word : .processing, to: asker) || isHeard
        }
        guard named.isEmpty, let latest = sheets.last, answer.orderNumber == nil || latest.orderNumber == nil else { return isHeard }
        let isDecisive = answer.word == .success || answer.word == .failed
        return tell(areSeveral && isDecisive ? .processing : answer.word, to: latest)
    }

    private func tell(_ word: PaymentSheetOutcome.AlipayWord, to sheet: PaymentSheetSession) -> Bool {
        guard sheet.isWaiting else { return false }
        sheet.alipayEnded(word)
        return true
    }
}
