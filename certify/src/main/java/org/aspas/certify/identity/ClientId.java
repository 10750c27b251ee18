package org.aspas.certify.identity;

/**
 * A client's identity: its public key itself, so that whoever holds a client-signed text can verify it without a
 * registry. Who is admitted is the descriptor's affair.
 *
 * @param key the client's Ed25519 key
 */
public record ClientId(PublicKey key) implements Comparable<ClientId> {
    @Override
    public int compareTo(ClientId other) {
        return key.compareTo(other.key);
    }

    /** The first 16 hexadecimal digits of the key: enough to read, not to trust. */
    @Override
    public String toString() {
        return key.toString().substring(0, 16);
    }
}
