extension CustomerTexts {
    static let filipino: [CustomerText: String] = [
        .paid: "Bayad na. Salamat.",
        .notPaid: "Hindi natuloy ang bayad. Walang perang nabawas, at maaari mong subukan muli.",
        .beingConfirmed: "Kinukumpirma pa ang bayad mo. Huwag munang magbayad muli: sasabihan ka namin.",
        .paymentClosed: "Isinara mo ang pagbabayad. Walang nabayaran.",
        .noSheet: "Hindi maipakita ang Apple Pay ngayon. Pumili ng ibang paraan ng pagbabayad.",
        .cardReady: "Handa nang ipambayad ang card mong nagtatapos sa {suffix}.",
        .cardNeedsProof:
            "Nasa wallet na ang card na nagtatapos sa {suffix} pero hindi pa magagamit. Kung may hinihinging patunay ang wallet, ibigay doon; kung wala, sasabihan ka ng bangko.",
        .cardActivating: "Nasa wallet na ang card na nagtatapos sa {suffix} at ina-activate pa. Wala kang kailangang gawin.",
        .cardUnusable: "Nasa wallet ang card na nagtatapos sa {suffix} pero hindi magagamit. Tawagan ang iyong bangko.",
        .cardNotAdded: "Hindi naidagdag ang card.",
        .cardUncertain: "Hindi pa tiyak kung naidagdag ang card. Tingnan muna sa wallet bago subukan muli.",
        .screenClosed: "Hindi naidagdag ang card dahil nasara ang screen nito.",
        .walletRefused: "Hindi tinanggap ng wallet ang card. Tingnan muna roon bago subukan muli.",
        .contactBank: "Hindi maidagdag ang card ngayon. Tawagan ang iyong bangko.",
        .deviceCannot: "Hindi maidagdag ang card na ito sa device na ito.",
        .tryLater: "Hindi naidagdag ang card. Subukan muli mamaya.",
    ]

    static let malay: [CustomerText: String] = [
        .paid: "Telah dibayar. Terima kasih.",
        .notPaid: "Pembayaran tidak berjaya. Tiada wang ditolak, dan anda boleh cuba lagi.",
        .beingConfirmed: "Pembayaran anda sedang disahkan. Jangan bayar lagi: kami akan memaklumkan anda.",
        .paymentClosed: "Anda menutup pembayaran. Tiada bayaran dibuat.",
        .noSheet: "Apple Pay tidak dapat ditunjukkan sekarang. Sila pilih cara bayaran lain.",
        .cardReady: "Kad anda yang berakhir dengan {suffix} sedia untuk membayar.",
        .cardNeedsProof:
            "Kad yang berakhir dengan {suffix} ada dalam dompet tetapi belum boleh membayar. Jika dompet meminta bukti, berikan di sana; jika tidak, bank akan memaklumkan anda.",
        .cardActivating: "Kad yang berakhir dengan {suffix} ada dalam dompet dan sedang diaktifkan. Anda tidak perlu berbuat apa-apa.",
        .cardUnusable: "Kad yang berakhir dengan {suffix} ada dalam dompet tetapi tidak boleh digunakan. Sila hubungi bank anda.",
        .cardNotAdded: "Kad tidak ditambah.",
        .cardUncertain: "Belum pasti sama ada kad telah ditambah. Sila semak dompet sebelum mencuba lagi.",
        .screenClosed: "Kad tidak ditambah kerana skrinnya ditutup.",
        .walletRefused: "Dompet tidak menerima kad itu. Sila semak di sana sebelum mencuba lagi.",
        .contactBank: "Kad ini tidak boleh ditambah sekarang. Sila hubungi bank anda.",
        .deviceCannot: "Peranti ini tidak boleh menerima kad ini.",
        .tryLater: "Kad tidak dapat ditambah. Sila cuba lagi nanti.",
    ]

    static let indonesian: [CustomerText: String] = [
        .paid: "Sudah dibayar. Terima kasih.",
        .notPaid: "Pembayaran tidak berhasil. Tidak ada uang yang dipotong, dan Anda dapat mencoba lagi.",
        .beingConfirmed: "Pembayaran Anda sedang dikonfirmasi. Jangan membayar lagi: kami akan memberi tahu Anda.",
        .paymentClosed: "Anda menutup pembayaran. Tidak ada yang dibayar.",
        .noSheet: "Apple Pay tidak dapat ditampilkan sekarang. Silakan pilih cara bayar lain.",
        .cardReady: "Kartu Anda yang berakhiran {suffix} siap untuk membayar.",
        .cardNeedsProof:
            "Kartu berakhiran {suffix} ada di dompet dan belum dapat membayar. Jika dompet meminta bukti, berikan di sana; jika tidak, bank akan memberi tahu Anda.",
        .cardActivating: "Kartu berakhiran {suffix} ada di dompet dan sedang diaktifkan. Anda tidak perlu melakukan apa pun.",
        .cardUnusable: "Kartu berakhiran {suffix} ada di dompet dan tidak dapat digunakan. Silakan hubungi bank Anda.",
        .cardNotAdded: "Kartu tidak ditambahkan.",
        .cardUncertain: "Belum pasti apakah kartu sudah ditambahkan. Silakan lihat di dompet sebelum mencoba lagi.",
        .screenClosed: "Kartu tidak ditambahkan karena layarnya ditutup.",
        .walletRefused: "Dompet tidak menerima kartu itu. Silakan lihat di sana sebelum mencoba lagi.",
        .contactBank: "Kartu ini tidak dapat ditambahkan sekarang. Silakan hubungi bank Anda.",
        .deviceCannot: "Perangkat ini tidak dapat menerima kartu ini.",
        .tryLater: "Kartu tidak dapat ditambahkan. Silakan coba lagi nanti.",
    ]

    static let thai: [CustomerText: String] = [
        .paid: "ชำระเงินแล้ว ขอบคุณ",
        .notPaid: "ชำระเงินไม่สำเร็จ ไม่มีการหักเงิน คุณลองใหม่ได้",
        .beingConfirmed: "กำลังยืนยันการชำระเงินของคุณ โปรดอย่าชำระซ้ำ เราจะแจ้งให้คุณทราบ",
        .paymentClosed: "คุณปิดการชำระเงิน ไม่มีการชำระเงินใดๆ",
        .noSheet: "ขณะนี้แสดง Apple Pay ไม่ได้ โปรดเลือกวิธีชำระเงินอื่น",
        .cardReady: "บัตรที่ลงท้ายด้วย {suffix} พร้อมใช้ชำระเงินแล้ว",
        .cardNeedsProof:
            "บัตรที่ลงท้ายด้วย {suffix} อยู่ในกระเป๋าแล้วแต่ยังชำระเงินไม่ได้ หากกระเป๋าขอการยืนยัน โปรดทำที่นั่น มิฉะนั้นธนาคารกำลังตรวจสอบและจะแจ้งคุณ",
        .cardActivating: "บัตรที่ลงท้ายด้วย {suffix} อยู่ในกระเป๋าและกำลังเปิดใช้ คุณไม่ต้องทำอะไร",
        .cardUnusable: "บัตรที่ลงท้ายด้วย {suffix} อยู่ในกระเป๋าแต่ใช้ไม่ได้ โปรดติดต่อธนาคารของคุณ",
        .cardNotAdded: "ไม่ได้เพิ่มบัตร",
        .cardUncertain: "ยังไม่แน่ชัดว่าเพิ่มบัตรแล้วหรือไม่ โปรดดูในกระเป๋าก่อนลองใหม่",
        .screenClosed: "ไม่ได้เพิ่มบัตรเพราะหน้าจอถูกปิด",
        .walletRefused: "กระเป๋าไม่รับบัตรนี้ โปรดดูในกระเป๋าก่อนลองใหม่",
        .contactBank: "ขณะนี้เพิ่มบัตรนี้ไม่ได้ โปรดติดต่อธนาคารของคุณ",
        .deviceCannot: "อุปกรณ์นี้รับบัตรนี้ไม่ได้",
        .tryLater: "เพิ่มบัตรไม่ได้ โปรดลองใหม่ภายหลัง",
    ]
}
