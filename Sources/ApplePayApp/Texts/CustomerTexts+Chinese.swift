extension CustomerTexts {
    static let simplifiedChinese: [CustomerText: String] = [
        .paid: "已付款，谢谢。",
        .notPaid: "付款未成功，没有扣款。您可以再试一次。",
        .beingConfirmed: "正在确认您的付款。请不要重复付款，有结果我们会通知您。",
        .paymentClosed: "您关闭了付款，没有扣款。",
        .noSheet: "现在无法使用 Apple Pay，请选择其他付款方式。",
        .cardReady: "尾号 {suffix} 的卡已可付款。",
        .cardNeedsProof: "尾号 {suffix} 的卡已在钱包中，但还不能付款。如果钱包要求验证，请在那里完成；否则银行正在审核，会通知您。",
        .cardActivating: "尾号 {suffix} 的卡已在钱包中，正在激活。您不需要做任何事。",
        .cardUnusable: "尾号 {suffix} 的卡已在钱包中，但不能使用。请联系您的银行。",
        .cardNotAdded: "没有添加这张卡。",
        .cardUncertain: "还不能确定卡是否已添加。再试之前，请先在钱包中查看。",
        .screenClosed: "添加页面被关闭，没有添加这张卡。",
        .walletRefused: "钱包没有接受这张卡。再试之前，请先在钱包中查看。",
        .contactBank: "现在不能添加这张卡。请联系您的银行。",
        .deviceCannot: "此设备不能添加这张卡。",
        .tryLater: "没能添加这张卡。请稍后再试。",
    ]

    static let traditionalChinese: [CustomerText: String] = [
        .paid: "已付款，多謝。",
        .notPaid: "付款未成功，沒有扣款。您可以再試一次。",
        .beingConfirmed: "正在確認您的付款。請不要重複付款，有結果我們會通知您。",
        .paymentClosed: "您關閉了付款，沒有扣款。",
        .noSheet: "現時無法使用 Apple Pay，請選擇其他付款方式。",
        .cardReady: "尾號 {suffix} 的卡已可付款。",
        .cardNeedsProof: "尾號 {suffix} 的卡已在錢包中，但仍未能付款。如果錢包要求驗證，請在那裡完成；否則銀行正在審核，會通知您。",
        .cardActivating: "尾號 {suffix} 的卡已在錢包中，正在啟用。您不需要做任何事。",
        .cardUnusable: "尾號 {suffix} 的卡已在錢包中，但不能使用。請聯絡您的銀行。",
        .cardNotAdded: "沒有加入這張卡。",
        .cardUncertain: "仍未能確定卡是否已加入。再試之前，請先在錢包中查看。",
        .screenClosed: "加入頁面被關閉，沒有加入這張卡。",
        .walletRefused: "錢包沒有接受這張卡。再試之前，請先在錢包中查看。",
        .contactBank: "現時不能加入這張卡。請聯絡您的銀行。",
        .deviceCannot: "此裝置不能加入這張卡。",
        .tryLater: "未能加入這張卡。請稍後再試。",
    ]
}
