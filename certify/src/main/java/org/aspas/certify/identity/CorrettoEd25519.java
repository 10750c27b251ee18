package org.aspas.certify.identity;

import java.lang.reflect.InvocationTargetException;
import java.security.GeneralSecurityException;
import java.security.Provider;

/**
 * Loads AmazonCorrettoCryptoProvider, whose native library (AWS-LC) exists for some systems only. It is found by name, so
 * that nothing depends on it, and is not registered with the JDK: TLS and the rest go on as they are.
 */
final class CorrettoEd25519 {
    private static final String CLASS = "com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider";

    /** Without it, the provider reads the JDK's key objects anew each time another key's turn comes: 6 µs to sign. */
    private static final String KEY_FACTORY = "com.amazon.corretto.crypto.provider.registerEdKeyFactory";

    private CorrettoEd25519() {}

    /**
     * Its Ed25519.
     *
     * @throws IllegalStateException when it is not on the class path, or does not work on this system
     */
    static Ed25519Provider load() {
        if (System.getProperty(KEY_FACTORY) == null) {
            System.setProperty(KEY_FACTORY, "true");
        }
        try {
            Class<?> type = Class.forName(CLASS);
            Provider provider = (Provider) type.getField("INSTANCE").get(null);
            type.getMethod("assertHealthy").invoke(provider);
            return new JcaEd25519(provider, new BouncyCastleEd25519());
        } catch (ClassNotFoundException absent) {
            throw new IllegalStateException("it is not on the class path", absent);
        } catch (InvocationTargetException unhealthy) {
            throw new IllegalStateException(deepest(unhealthy), unhealthy);
        } catch (ReflectiveOperationException | GeneralSecurityException other) {
            throw new IllegalStateException(deepest(other), other);
        }
    }

    private static String deepest(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }
}
