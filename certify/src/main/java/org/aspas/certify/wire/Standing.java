package org.aspas.certify.wire;

import java.util.List;
import org.aspas.certify.identity.ClientId;
import org.aspas.crdt.clock.Dot;
import org.jspecify.annotations.Nullable;

/**
 * The signed answer to {@link AskStanding}.
 *
 * @param certificate the newest certificate that the server adopted; absent before the first
 * @param updates one item for each update of the question, in its order
 */
public record Standing(
        int server, ClientId client, long nonce, @Nullable Certificate certificate, List<Held> updates)
        implements Message {
    static final Schema<Standing> SCHEMA = items -> new Standing(
            items.index(Standing::server),
            items.client(Standing::client),
            items.natural(Standing::nonce),
            items.optional(Certificate.ITEM, Standing::certificate),
            items.list(AskStanding.MAX_UPDATES, Held.ITEM, Standing::updates));

    public Standing {
        updates = List.copyOf(updates);
    }

    /**
     * What the server knows of one update.
     *
     * @param dot an entry of any origin that carries exactly this request and that the server delivered, the certified one
     *     if there is one; absent when it holds none
     */
    public record Held(long number, @Nullable Dot dot) {
        static final Item<Held> ITEM =
                Item.array(items -> new Held(items.positive(Held::number), items.optional(Item.DOT, Held::dot)));
    }
}
