package org.aspas.certify.identity;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which library computes {@link Ed25519} in this process, and why: AmazonCorrettoCryptoProvider, which is native, where it
 * can be loaded; Bouncy Castle elsewhere. Never the JDK's own, which takes twenty times as long. What is right does not
 * depend on it. A library is used only when it passes {@link Ed25519SelfTest}, at every start. The system property {@value
 * #PROPERTY} names one ({@code accp} or {@code bouncycastle}) or leaves it open ({@code auto}).
 *
 * @param reason why this library, for people
 */
public record Ed25519Choice(Ed25519 scheme, String reason) {
    public static final String PROPERTY = "aspas.ed25519";

    private static @Nullable Ed25519Choice ofThisProcess;

    /** Why signatures cannot be used here at all, or not as was wanted; the message is for the user. */
    public static final class UnusableEd25519 extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        UnusableEd25519(String message) {
            super(message);
        }
    }

    enum Wish {
        AUTO,
        ACCP,
        BOUNCYCASTLE
    }

    /**
     * The choice of this process, made when it is first asked for.
     *
     * @throws IllegalArgumentException when the property has a value that it cannot have
     * @throws UnusableEd25519 when the library that the property names, or every one, is unusable
     */
    public static synchronized Ed25519Choice ofThisProcess() {
        if (ofThisProcess == null) {
            ofThisProcess =
                    choose(wish(System.getProperty(PROPERTY, "auto")), CorrettoEd25519::load, BouncyCastleEd25519::new);
        }
        return ofThisProcess;
    }

    /** The library and why, in one line. */
    public String description() {
        return scheme.provider() + " (" + reason + ")";
    }

    static Wish wish(String value) {
        for (Wish wish : Wish.values()) {
            if (value.equals(wish.name().toLowerCase(Locale.ROOT))) {
                return wish;
            }
        }
        throw new IllegalArgumentException(
                PROPERTY + " = " + value + " names no library for signatures; it is auto, accp or bouncycastle");
    }

    static Ed25519Choice choose(Wish wish, Supplier<Ed25519Provider> accp, Supplier<Ed25519Provider> bouncyCastle) {
        if (wish == Wish.BOUNCYCASTLE) {
            return new Ed25519Choice(tested("Bouncy Castle", bouncyCastle), "as " + PROPERTY + " says");
        }
        try {
            String reason = wish == Wish.ACCP ? "as " + PROPERTY + " says" : "native";
            return new Ed25519Choice(tested("AmazonCorrettoCryptoProvider", accp), reason);
        } catch (UnusableEd25519 unusable) {
            if (wish == Wish.ACCP) {
                throw unusable;
            }
            return new Ed25519Choice(
                    tested("Bouncy Castle", bouncyCastle), unusable.getMessage() + "; the rule is the same");
        }
    }

    /** Libraries fail to load in many ways, errors of linking among them; all mean the same here. */
    private static Ed25519 tested(String name, Supplier<Ed25519Provider> library) {
        Ed25519Provider provider;
        try {
            provider = library.get();
        } catch (RuntimeException | LinkageError unloadable) {
            throw new UnusableEd25519(name + " could not be loaded: " + text(unloadable));
        }
        Optional<String> failure = Ed25519SelfTest.failure(provider);
        if (failure.isPresent()) {
            throw new UnusableEd25519(name + " failed its self-test of Ed25519: " + failure.get());
        }
        return new Ed25519(provider);
    }

    private static String text(Throwable cause) {
        String message = cause.getMessage();
        return message == null
                ? cause.getClass().getSimpleName()
                : message.lines().findFirst().orElse(message);
    }
}
