/**
 * The least that a request can cost behind the appserver's shells: {@link org.aspas.emulab.rivals.echo.EchoMachine} answers at
 * once, in messages of the sizes of ASPAS, and keeps nothing (docs/systems/echo.md).
 */
@NullMarked
package org.aspas.emulab.rivals.echo;

import org.jspecify.annotations.NullMarked;
