package org.aspas.certify.wire;

import java.util.HexFormat;
import org.aspas.certify.identity.ClientId;

/** Whom a piece of evidence is against. */
public sealed interface Accused {
    /** An appserver, named by its index in the descriptor. */
    record Server(int index) implements Accused {
        @Override
        public String toString() {
            return "appserver " + index;
        }
    }

    record Client(ClientId id) implements Accused {
        @Override
        public String toString() {
            return "client " + id.key() + "/" + id.opened() + "/"
                    + HexFormat.of().toHexDigits(id.salt());
        }
    }
}
