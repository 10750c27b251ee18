package org.aspas.certify.wire;

/** Two different requests that one client signed under one number (the protocol page, §8). */
public record ClientEquivocation(Signed<Request> one, Signed<Request> other) implements Evidence {
    static final Schema<ClientEquivocation> SCHEMA = items -> new ClientEquivocation(
            items.of(Request.SIGNED, ClientEquivocation::one), items.of(Request.SIGNED, ClientEquivocation::other));

    @Override
    public Accused accused() {
        return new Accused.Client(one.message().client());
    }
}
