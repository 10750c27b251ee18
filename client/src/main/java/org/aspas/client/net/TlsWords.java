package org.aspas.client.net;

import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import org.jspecify.annotations.Nullable;

/** What went wrong with TLS, in words for whoever can mend it. */
public final class TlsWords {
    private TlsWords() {}

    /** Why a handshake failed, if the connection only ended too. */
    static String ofHandshake(Throwable failure) {
        return caused(failure, ClosedChannelException.class) != null
                ? "the server closed the connection in the TLS handshake; it may speak none"
                : of(failure);
    }

    public static String of(Throwable failure) {
        if (caused(failure, CertificateExpiredException.class) != null) {
            return "its certificate has expired";
        } else if (caused(failure, CertificateNotYetValidException.class) != null) {
            return "its certificate is not valid yet, or the clock here is wrong";
        } else if (caused(failure, CertPathBuilderException.class) != null
                || caused(failure, CertPathValidatorException.class) != null) {
            return "its certificate is signed by nobody whom this client trusts";
        } else if (caused(failure, SslHandshakeTimeoutException.class) != null) {
            return "no TLS handshake in time: it is stopped or overloaded";
        }
        CertificateException unfit = caused(failure, CertificateException.class);
        if (unfit != null) {
            return "its certificate is not of this server (" + unfit.getMessage() + ")";
        }
        String message = String.valueOf(failure.getMessage());
        if (caused(failure, NotSslRecordException.class) != null
                || message.contains("Unsupported or unrecognized SSL")) {
            return "it speaks no TLS, although the descriptor says so";
        }
        return "TLS failed (" + message + ")";
    }

    private static <T extends Throwable> @Nullable T caused(Throwable failure, Class<T> by) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (by.isInstance(cause)) {
                return by.cast(cause);
            }
        }
        return null;
    }
}
