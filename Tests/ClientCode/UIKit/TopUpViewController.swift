import UIKit

class AmountCell: UICollectionViewCell {
    static let identifier = "AmountCell"
    let label = UILabel()

    override init(frame: CGRect) {
        super.init(frame: frame)
        label.textAlignment = .center
        contentView.addSubview(label)
        contentView.layer.cornerRadius = 4
        contentView.layer.borderWidth = 1
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override var isSelected: Bool {
        didSet { contentView.layer.borderColor = isSelected ? UIColor.systemBlue.cgColor : UIColor.lightGray.cgColor }
    }
}

class TopUpViewController: UIViewController, UICollectionViewDataSource, UICollectionViewDelegateFlowLayout, UITextFieldDelegate {
    @IBOutlet weak var amountField: UITextField!
    @IBOutlet weak var agreeSwitch: UISwitch!
    @IBOutlet weak var payButton: UIButton!
    @IBOutlet weak var collectionView: UICollectionView!

    private let amounts = ["50", "100", "200"]
    private var timer: Timer?
    var ticks = 0
    var paid: [String] = []

    static func make() -> TopUpViewController? {
        let storyboard = UIStoryboard(name: "TopUp", bundle: nil)
        return storyboard.instantiateViewController(withIdentifier: "TopUpViewController") as? TopUpViewController
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        amountField.delegate = self
        amountField.addTarget(self, action: #selector(update), for: .editingChanged)
        agreeSwitch.addTarget(self, action: #selector(update), for: .valueChanged)
        payButton.addTarget(self, action: #selector(pay(_:)), for: .touchUpInside)
        collectionView.dataSource = self
        collectionView.delegate = self
        collectionView.register(AmountCell.self, forCellWithReuseIdentifier: AmountCell.identifier)
        view.addGestureRecognizer(UITapGestureRecognizer(target: self, action: #selector(hideKeyboard)))
        timer = Timer.scheduledTimer(timeInterval: 1, target: self, selector: #selector(tick), userInfo: nil, repeats: true)
        update()
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        timer?.invalidate()
    }

    func fireTimer() {
        timer?.fire()
    }

    @objc func tick() {
        ticks += 1
    }

    @objc func update() {
        payButton.isEnabled = agreeSwitch.isOn && !(amountField.text ?? "").isEmpty
    }

    @objc func hideKeyboard() {
        view.endEditing(true)
    }

    @IBAction func pay(_ sender: UIButton) {
        hideKeyboard()
        paid.append(amountField.text ?? "")
        UINotificationFeedbackGenerator().notificationOccurred(.success)
    }

    func textField(_ textField: UITextField, shouldChangeCharactersIn range: NSRange, replacementString string: String) -> Bool {
        return string.allSatisfy { $0.isNumber }
    }

    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
        return amounts.count
    }

    func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath) -> UICollectionViewCell {
        let cell = collectionView.dequeueReusableCell(withReuseIdentifier: AmountCell.identifier, for: indexPath)
        (cell as? AmountCell)?.label.text = "¥" + amounts[indexPath.item]
        return cell
    }

    func collectionView(
        _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout, sizeForItemAt indexPath: IndexPath
    ) -> CGSize {
        return CGSize(width: 80, height: 40)
    }

    func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
        amountField.text = amounts[indexPath.item]
        update()
    }
}
