package org.aspas.certify.wire;

/** Two different requests that one client signed under one number (the protocol page, §8). */
public record ClientEquivocation(Signed<Request> one, Signed<Request> other) implements Evidence {
    @Override
    public Accused accused() {
        return new Accused.Client(one.message().client());
    }

    @Override
    public Kind kind() {
        return Kind.CLIENT_EQUIVOCATION;
    }
}
