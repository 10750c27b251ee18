package org.aspas.certify.wire;

import java.util.Optional;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.SigningKey;
import org.jspecify.annotations.Nullable;

/** Encodes and signs messages with one key for one deployment. Thread-safe. */
public final class Sealer {
    private final SigningKey key;
    private final Hash deployment;

    public Sealer(SigningKey key, Hash deployment) {
        this.key = key;
        this.deployment = deployment;
    }

    public PublicKey publicKey() {
        return key.publicKey();
    }

    public Hash deployment() {
        return deployment;
    }

    /**
     * The message with its bytes and a signature over them.
     *
     * @throws IllegalArgumentException for a kind of message that nobody signs
     */
    public <M extends Message> Signed<M> seal(M message) {
        byte[] payload = Codec.encode(message);
        return new Signed<>(message, payload, key.sign(domainOf(message), deployment, payload));
    }

    /**
     * What the signature of a message of this kind is for.
     *
     * @throws IllegalArgumentException for a kind of message that nobody signs
     */
    public static Domain domainOf(Message message) {
        return domainOf(message.kind())
                .orElseThrow(() -> new IllegalArgumentException("nobody signs " + message.kind()));
    }

    /** What the signature of a message of this kind is for; empty for a kind that nobody signs. */
    static Optional<Domain> domainOf(Kind kind) {
        return Optional.ofNullable(domain(kind));
    }

    private static @Nullable Domain domain(Kind kind) {
        return switch (kind) {
            case REQUEST -> Domain.REQUEST;
            case OPEN_SESSION -> Domain.SESSION;
            case RESPONSE -> Domain.RESPONSE;
            case HEAD -> Domain.HEAD;
            case VERTOBFT -> Domain.VERTOBFT;
            case BFTREQSTABLE -> Domain.BFTREQSTABLE;
            case STABLE -> Domain.STABLE;
            case TICK -> Domain.TICK;
            case ACCEPT -> Domain.ACCEPT;
            case COMMIT -> Domain.COMMIT;
            case RECOVER -> Domain.RECOVER;
            case CERTIFICATE_CONTENT -> Domain.CERTIFICATE;
            case ASK_STANDING, INSPECT -> Domain.INQUIRY;
            case STANDING -> Domain.STANDING;
            case INSPECTREPLY -> Domain.INSPECTREPLY;
            case COMPLAIN -> Domain.COMPLAINT;
            case BLACKLIST -> Domain.BLACKLIST;
            case VERDICT -> Domain.VERDICT;
            default -> null;
        };
    }
}
