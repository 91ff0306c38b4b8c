import UIKit

/// Signs in and lists the mini programs.
final class HomeViewController: UIViewController {
    private let superApp: SuperApp
    private let state = UILabel()
    private let list = UIStackView()
    private lazy var signInButton = UIButton(type: .system, primaryAction: UIAction(title: "Sign in") { [weak self] _ in self?.signIn() })

    init(superApp: SuperApp) {
        self.superApp = superApp
        super.init(nibName: nil, bundle: nil)
        title = "Leaf Super App"
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        state.numberOfLines = 0
        list.axis = .vertical
        list.spacing = 16
        let all = UIStackView(arrangedSubviews: [state, signInButton, list])
        all.axis = .vertical
        all.spacing = 16
        view.fill(with: all)
    }

    private func signIn() {
        signInButton.isEnabled = false
        Task {
            do {
                let programs = try await superApp.signIn()
                signInButton.isHidden = true
                state.text = "Mini programs"
                for program in programs { list.addArrangedSubview(button(for: program)) }
            } catch {
                signInButton.isEnabled = true
                state.text = "Nobody was signed in."
            }
        }
    }

    private func button(for program: WalletServer.Listing) -> UIButton {
        UIButton(type: .system, primaryAction: UIAction(title: program.name) { [weak self] _ in self?.open(program) })
    }

    private func open(_ program: WalletServer.Listing) {
        Task {
            do {
                guard let run = try await superApp.open(program.appId) else { return }
                navigationController?.pushViewController(ProgramViewController(run: run, person: superApp.person), animated: true)
            } catch {
                state.text = "\(program.name) cannot be opened."
            }
        }
    }
}
