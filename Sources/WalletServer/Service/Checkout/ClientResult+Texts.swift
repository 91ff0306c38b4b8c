extension ClientResult {
    /// The statuses that the wallet itself says; `9000` comes from the gateway alone.
    /// Whether it says no more than that the outcome is not known yet.
    var isOutstanding: Bool { resultStatus == "8000" }

    static func processing(_ texts: WalletTexts) -> Self { Self(resultStatus: "8000", memo: texts[.memoProcessing], result: "") }
    static func cancelled(_ texts: WalletTexts) -> Self { Self(resultStatus: "6001", memo: texts[.memoCancelled], result: "") }
    static func failed(_ texts: WalletTexts) -> Self { Self(resultStatus: "4000", memo: texts[.memoFailed], result: "") }
}
