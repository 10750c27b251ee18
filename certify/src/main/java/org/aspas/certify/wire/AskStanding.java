package org.aspas.certify.wire;

import java.util.List;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;

/**
 * A client's signed question to an appserver other than its own, without a session: what is your newest certificate, and
 * do you hold these updates of mine (the protocol page, §6)?
 *
 * @param nonce the client's name for this question, from the same numbers as its reads
 * @param updates the updates asked about, at most {@link #MAX_UPDATES}
 */
public record AskStanding(ClientId client, long nonce, List<Named> updates) implements ClientQuestion {
    public static final int MAX_UPDATES = 1024;

    static final Schema<AskStanding> SCHEMA = items -> new AskStanding(
            items.client(AskStanding::client),
            items.natural(AskStanding::nonce),
            items.list(MAX_UPDATES, Named.ITEM, AskStanding::updates));

    public AskStanding {
        updates = List.copyOf(updates);
    }

    /**
     * One update.
     *
     * @param identity the hash of the signed request's payload
     */
    public record Named(long number, Hash identity) {
        static final Item<Named> ITEM =
                Item.array(items -> new Named(items.positive(Named::number), items.hash(Named::identity)));
    }
}
