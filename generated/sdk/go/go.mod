module gatehouse.example/sdk/go

go 1.23

require (
)
